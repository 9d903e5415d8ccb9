import { terminalProtocol } from '../contract/terminal';
import { cookieOf, type Dial, openTab, originOf, refusedWith, takeTicket } from '../domains/workshop/terminalClient';
import { type Lab, startLab } from '../domains/workshop/testbed';
import { buildTestApp, type TestApp } from '../testing/buildTestApp';
import { TEST_PASSWORD } from '../testing/factories';
import { readFingerprint } from '../testing/fingerprint';
import { advance } from '../testing/testDatabase';

describe('the upgrade to a terminal’s socket', () => {
  let test: TestApp;
  let lab: Lab;
  let own: string;
  let ticket: string;
  beforeAll(async () => {
    test = await buildTestApp();
    own = await originOf(test);
  });
  beforeEach(async () => {
    lab = await startLab(test);
    await advance(test.db, 0);
    ticket = (await takeTicket(test, lab.member, lab.workshopId)).ticket;
  });
  afterAll(() => test.close());

  const right = (): Dial => ({ cookie: cookieOf(lab.member), ticket });

  /** Refused with this status, nothing written, and the ticket is as good as before. */
  async function expectRefused(dial: Dial, status: number): Promise<void> {
    const before = await readFingerprint(test.pool);
    expect(await refusedWith(test, { ...right(), ...dial })).toBe(status);
    expect(await readFingerprint(test.pool)).toEqual(before);
  }

  async function expectOpens(): Promise<void> {
    const tab = await openTab(test, right());
    await tab.said('ready');
    tab.socket.close();
    await tab.closed;
  }

  it.each<[string, (own: URL) => string | null]>([
    ['another site', () => 'https://evil.example'],
    ['no Origin at all', () => null],
    ['a sandboxed frame', () => 'null'],
    ['an empty Origin', () => ''],
    ['a sibling sub-domain', ({ port }) => `http://lab.localhost:${port}`],
    ['another port of this machine', ({ port }) => `http://127.0.0.1:${Number(port) - 1}`],
    ['a look-alike host', ({ host }) => `http://${host}.evil.example`],
    ['our name within a user part', ({ host }) => `http://${host}@evil.example`],
    ['another scheme', ({ host }) => `https://${host}`],
    ['a scheme of no web page', ({ host }) => `ws://${host}`],
    ['a page’s whole address', ({ host }) => `ftp://${host}/login`],
    ['two Origins in one', ({ origin }) => `https://evil.example, ${origin}`],
  ])('is refused to a member’s own cookies and ticket from %s', async (_who, originFrom) => {
    await expectRefused({ origin: originFrom(new URL(own)) }, 403);

    await expectOpens();
  });

  it.each<[string, (lab: Lab) => string | null]>([
    ['no cookie', () => null],
    ['the readable half of the session', ({ member }) => `sessionId=${member.loginSessionId}`],
    ['the secret half of the session', ({ member }) => `atelier=${member.loginSecret}`],
    ['a wrong secret', ({ member }) => `sessionId=${member.loginSessionId}; atelier=${'A'.repeat(43)}`],
  ])('is refused to a good ticket with %s', async (_what, cookieFrom) => {
    await expectRefused({ cookie: cookieFrom(lab) }, 401);

    await expectOpens();
  });

  it.each<[string, Dial]>([
    ['none', { protocols: [terminalProtocol] }],
    ['an empty one', { ticket: 'AA' }],
    ['a guessed one', { ticket: 'A'.repeat(43) }],
  ])('is refused to a signed-in member with %s for a ticket', async (_what, dial) => {
    await expectRefused(dial, 403);

    await expectOpens();
  });

  it('is refused to another member with this one’s ticket', async () => {
    const stranger = await test.buildMember({ levelFlag: 3 });

    await expectRefused({ cookie: cookieOf(stranger) }, 403);

    await expectOpens();
  });

  it('is refused to another session of the same member', async () => {
    const { username } = lab.member;
    const { cookies } = await test.as(null).send('POST /gateway/user/login', {
      body: { type: 'password', username, password: TEST_PASSWORD },
    });

    await expectRefused({ cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') }, 403);

    await expectOpens();
  });

  it('is refused to a ticket that was used', async () => {
    await expectOpens();

    await expectRefused({}, 403);
  });

  it('is granted to one of twenty that use a ticket at once', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => refusedWith(test, right()).catch((error: Error) => error.message)),
    );

    expect(outcomes.filter((outcome) => outcome === 'the upgrade was not refused')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 403)).toHaveLength(19);
  });

  it('is refused a minute after the ticket was given', async () => {
    await advance(test.db, 60_001);

    expect(await refusedWith(test, right())).toBe(403);
  });

  it('is refused once the session has ended, and once the workshop has', async () => {
    const other = await startLab(test);
    const otherTicket = (await takeTicket(test, other.member, other.workshopId)).ticket;
    await test.as(lab.member).send('POST /gateway/user/logout');
    await test.as(other.member).send('POST /gateway/workshop/stop', { body: { workshopId: other.workshopId } });

    expect(await refusedWith(test, right())).toBe(401);
    expect(await refusedWith(test, { cookie: cookieOf(other.member), ticket: otherTicket })).toBe(409);
  });
});
