import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import { TEST_PASSWORD, type TestMember } from '../../testing/factories';
import { advance } from '../../testing/testDatabase';
import { cookieOf, openTab, refusedWith, takeTicket } from '../workshop/terminalClient';
import { startLab } from '../workshop/testbed';
import { codeFor, cookiesAfter, PASSWORD } from './userWorld';

const LIST = 'GET /gateway/user/loginSessions';
const REVOKE = 'POST /gateway/user/revokeLoginSession';
const WHO = 'GET /gateway/user/getUserBySession';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';
const DAY_MS = 86_400_000;

describe('the browsers that are signed in', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp({ config: { trustedProxies: ['127.0.0.1'] } });
    await advance(test.db, 0);
  });
  afterAll(() => test.close());

  async function signIn(member: TestMember, { userAgent = FIREFOX, ip = '203.0.113.8', keepSignedIn = false } = {}) {
    const reply = await test.as(null).send('POST /gateway/user/login', {
      body: { type: 'password', username: member.username, password: TEST_PASSWORD, keepSignedIn },
      headers: { 'user-agent': userAgent, 'x-forwarded-for': ip },
    });
    return { id: reply.data.sessionId, cookie: cookiesAfter(reply) };
  }
  const list = async (member: TestMember) => (await test.as(member).send(LIST)).data.list;
  const revoke = (member: TestMember, body: unknown) => test.as(member).send(REVOKE, { body });
  const who = (cookie: string) => test.as(null).send(WHO, { headers: { cookie } });

  it('are told with what they are, where from, since when and until when', async () => {
    const member = await test.buildMember();
    const { id } = await signIn(member, { keepSignedIn: true });

    const [first, second, ...others] = await list(member);

    expect(others).toEqual([]);
    expect(first).toMatchObject({ loginSessionId: member.loginSessionId, isCurrent: true, browser: '', os: '', isKept: false });
    expect(second).toEqual({
      loginSessionId: id,
      isCurrent: false,
      browser: 'Firefox',
      os: 'Linux',
      ip: '203.0.113.8',
      createdAt: expect.stringMatching(/Z$/),
      lastSeenAt: expect.stringMatching(/Z$/),
      expiresAt: expect.stringMatching(/Z$/),
      isKept: true,
    });
    expect(Date.parse(second?.expiresAt ?? '') - Date.parse(second?.createdAt ?? '')).toBe(30 * DAY_MS);
    expect(JSON.stringify(second)).not.toContain(FIREFOX);
  });

  it('come in the order in which they were last seen, this one first, a hundred at most', async () => {
    const member = await test.buildMember();
    const [one, two] = [await signIn(member), await signIn(member)];
    await advance(test.db, 120_000);
    await who(one.cookie);

    expect((await list(member)).map(({ loginSessionId }) => loginSessionId)).toEqual([member.loginSessionId, one.id, two.id]);

    await test.pool.query(
      `insert into login_session (id, member_id, secret_hash, is_kept, ip, user_agent, expires_at)
       select gen_random_uuid(), member_id, secret_hash, false, ip, user_agent, expires_at
       from login_session, generate_series(1, 120) where id = $1`,
      [two.id],
    );
    const long = await list(member);
    expect(long).toHaveLength(100);
  });

  it('are no longer told once they have ended or expired', async () => {
    const member = await test.buildMember();
    const [revoked, expired] = [await signIn(member), await signIn(member)];
    await revoke(member, { loginSessionId: revoked.id });
    await test.pool.query('update login_session set expires_at = app_now() where id = $1', [expired.id]);

    expect((await list(member)).map(({ loginSessionId }) => loginSessionId)).toEqual([member.loginSessionId]);
  });

  it('are signed out one by one', async () => {
    const member = await test.buildMember();
    const [one, two] = [await signIn(member), await signIn(member)];

    const reply = await revoke(member, { loginSessionId: one.id.toUpperCase() });

    expect(reply.data).toEqual({ endedSessions: 1 });
    expect(reply.cookies).toEqual([]);
    expect(await who(one.cookie)).toFailWith('UNAUTHORIZED');
    expect((await who(two.cookie)).data.userId).toBe(member.memberId);
    expect((await test.as(member).send(WHO)).data.userId).toBe(member.memberId);
  });

  it('are signed out all but this one', async () => {
    const [member, stranger] = [await test.buildMember(), await test.buildMember()];
    const others = [await signIn(member), await signIn(member)];

    expect((await revoke(member, { others: true })).data).toEqual({ endedSessions: 2 });
    expect((await revoke(member, { others: true })).data).toEqual({ endedSessions: 0 });

    for (const { cookie } of others) expect(await who(cookie)).toFailWith('UNAUTHORIZED');
    expect((await test.as(member).send(WHO)).data.userId).toBe(member.memberId);
    expect((await test.as(stranger).send(WHO)).data.userId).toBe(stranger.memberId);
  });

  it('are signed out with their cookies when it is this one', async () => {
    const member = await test.buildMember();

    const reply = await revoke(member, { loginSessionId: member.loginSessionId });

    expect(reply.cookies.map(({ name, value }) => [name, value])).toEqual([
      ['sessionId', ''],
      ['atelier', ''],
    ]);
    expect(await test.as(member).send(WHO)).toFailWith('UNAUTHORIZED');
  });

  it('are one’s own: somebody else’s answers like a missing and an ended one, and stays', async () => {
    const [member, stranger] = [await test.buildMember(), await test.buildMember()];
    const ended = await signIn(member);
    await revoke(member, { loginSessionId: ended.id });

    for (const id of [stranger.loginSessionId, ended.id, '01890000-0000-7000-8000-000000000000']) {
      expect(await revoke(member, { loginSessionId: id })).toFailWith('NOT_FOUND');
    }

    expect((await test.as(stranger).send(WHO)).data.userId).toBe(stranger.memberId);
  });

  it.each([
    ['body.loginSessionId', {}],
    ['body.others', { others: true, loginSessionId: '01890000-0000-7000-8000-000000000000' }],
    ['body.others', { others: false }],
    ['body.loginSessionId', { loginSessionId: 'x' }],
  ])('names %s when it does not fit (%#)', async (field, body) => {
    const member = await test.buildMember();
    await signIn(member);

    const reply = await revoke(member, body);

    expect(reply).toFailWith('INVALID_INPUT');
    expect(reply.envelope.data).toMatchObject({ fields: expect.arrayContaining([expect.objectContaining({ field })]) });
    expect(await list(member)).toHaveLength(2);
  });

  it('are told and signed out for members only', async () => {
    expect(await test.as(null).send(LIST)).toFailWith('UNAUTHORIZED');
    expect(await test.as(null).send(REVOKE, { body: { others: true } })).toFailWith('UNAUTHORIZED');
  });
});

describe('a login session that is taken away', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp();
    await test.app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => test.close());

  type Ways = Record<string, (member: TestMember, loginSessionId: string) => Promise<unknown>>;
  const ways: Ways = {
    'by its owner': (member, loginSessionId) => test.as(member).send(REVOKE, { body: { loginSessionId } }),
    'with all others': (member) => test.as(member).send(REVOKE, { body: { others: true } }),
    'by a new password': (member) =>
      test.as(member).send('POST /gateway/user/changePassword', {
        body: { oldPassword: TEST_PASSWORD, password: PASSWORD, confirm: PASSWORD },
      }),
    'by a reset': async ({ mobile }) =>
      test.as(null).send('POST /gateway/user/forgetPassword', {
        body: { mobile, captcha: await codeFor(test, mobile, 'reset'), password: PASSWORD, confirm: PASSWORD },
      }),
  };

  it.each(Object.keys(ways))('%s loses its terminals within two seconds and its tickets', async (way) => {
    const { member, workshopId } = await startLab(test);
    const reply = await test.as(null).send('POST /gateway/user/login', {
      body: { type: 'password', username: member.username, password: TEST_PASSWORD },
    });
    const [, secret] = reply.cookies;
    const elsewhere: TestMember = { ...member, loginSessionId: reply.data.sessionId, loginSecret: secret?.value ?? '' };
    const { ticket } = await takeTicket(test, elsewhere, workshopId);
    const tab = await openTab(test, { cookie: cookieOf(elsewhere), ticket });
    await tab.said('ready');
    const unused = await takeTicket(test, elsewhere, workshopId);

    const startedMs = performance.now();
    await ways[way]?.(member, elsewhere.loginSessionId);
    await tab.closed;

    expect(performance.now() - startedMs).toBeLessThan(2_000);
    expect(await tab.said('bye')).toEqual({ type: 'bye', reason: 'SIGNED_OUT' });
    expect(await refusedWith(test, { cookie: cookieOf(elsewhere), ticket: unused.ticket })).toBe(401);
  });
});
