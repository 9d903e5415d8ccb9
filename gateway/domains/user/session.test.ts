import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import { TEST_PASSWORD, type TestMember } from '../../testing/factories';
import { advance } from '../../testing/testDatabase';
import { cookiesAfter } from './userWorld';

const WHO = 'GET /gateway/user/getUserBySession';
const DAY_MS = 86_400_000;

describe('a login session', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await buildTestApp();
    await advance(test.db, 0);
  });
  afterEach(() => test.close());

  const login = (member: TestMember, app = test) =>
    app
      .as(null)
      .send('POST /gateway/user/login', { body: { type: 'password', username: member.username, password: TEST_PASSWORD } });
  const who = (cookie: string, app = test) => app.as(null).send(WHO, { headers: { cookie } });

  async function lastSeen(id: string): Promise<Date> {
    const { rows } = await test.pool.query('select last_seen_at from login_session where id = $1', [id]);
    return rows[0].last_seen_at;
  }

  it('shows every field of the member it belongs to', async () => {
    const member = await test.buildMember({ levelFlag: 1, remainDcuMicro: 1_500_000n });
    await test.pool.query('update member set is_student = true, is_real_name = true where id = $1', [member.memberId]);

    const { data } = await test.as(member).send(WHO, { query: { isInit: true } });

    expect(data).toEqual({
      userId: member.memberId,
      userName: member.username,
      mobilePhone: `${member.mobile.slice(3, 6)}****${member.mobile.slice(-4)}`,
      isRealName: true,
      isStudent: true,
      memberExpirationDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      remainDcu: 1.5,
      packageName: 'Level 1',
      levelFlag: 1,
    });
  });

  it('is two cookies: one for scripts to read, one for the browser alone', async () => {
    const reply = await login(await test.buildMember());

    const [selector, secret] = reply.cookies;
    const lasting = { path: '/', sameSite: 'Lax', maxAge: 604_800 };
    expect(selector).toEqual({ name: 'sessionId', value: reply.data.sessionId, ...lasting });
    expect(secret).toEqual({ name: 'atelier', value: expect.stringMatching(/^[\w-]{43}$/), httpOnly: true, ...lasting });
    expect(JSON.stringify(reply.envelope)).not.toContain(secret?.value);
    const { rows } = await test.pool.query('select encode(secret_hash, $1) as hash from login_session where id = $2', [
      'base64',
      selector?.value,
    ]);
    expect(rows[0].hash).not.toBe(secret?.value);
  });

  it('is Secure and bound to the host under https', async () => {
    const secure = await buildTestApp({ config: { publicUrl: 'https://atelier.example' } });
    const member = await secure.buildMember();

    const reply = await login(member, secure);

    expect(reply.cookies).toEqual([
      expect.objectContaining({ name: 'sessionId', secure: true, path: '/' }),
      expect.objectContaining({ name: '__Host-atelier', secure: true, path: '/', httpOnly: true }),
    ]);
    expect(reply.cookies[1]).not.toHaveProperty('domain');
    expect((await who(cookiesAfter(reply), secure)).data.userId).toBe(member.memberId);
    expect((await secure.as(member).send(WHO)).data.userId).toBe(member.memberId);
    await secure.close();
  });

  it.each([
    ['nothing', () => ''],
    ['the selector alone', (id: string) => `sessionId=${id}`],
    ['the secret alone', (_id: string, secret: string) => `atelier=${secret}`],
    ['a wrong secret', (id: string, secret: string) => `sessionId=${id}; atelier=${secret.slice(1)}x`],
    ['a short secret', (id: string) => `sessionId=${id}; atelier=x`],
    ['an unknown selector', (_id: string, secret: string) => `sessionId=01890000-0000-7000-8000-000000000000; atelier=${secret}`],
    ['a selector that is no id', (_id: string, secret: string) => `sessionId=' or 1=1 --; atelier=${secret}`],
  ])('is not proven by %s, which leaves the owner signed in', async (_what, forge) => {
    const member = await test.buildMember();
    const cookie = forge(member.loginSessionId, member.loginSecret);

    const reply = await who(cookie);

    expect(reply).toFailWith('UNAUTHORIZED');
    expect((await test.as(member).send(WHO)).data.userId).toBe(member.memberId);
  });

  it.each([
    ['revoked', (at: TestApp, id: string) => at.services.loginSessions.revokeSession(id)],
    ['expired', (at: TestApp) => advance(at.db, 7 * DAY_MS)],
  ])('that is %s answers 401 and clears both cookies', async (_what, end) => {
    const reply = await login(await test.buildMember());
    await end(test, reply.data.sessionId);

    const refused = await who(cookiesAfter(reply));

    expect(refused).toFailWith('UNAUTHORIZED');
    expect(refused.cookies.map(({ name, value, expires }) => [name, value, expires?.getTime()])).toEqual([
      ['sessionId', '', 0],
      ['atelier', '', 0],
    ]);
  });

  it('lasts until its last millisecond', async () => {
    const reply = await login(await test.buildMember());

    await advance(test.db, 7 * DAY_MS - 1);

    expect((await who(cookiesAfter(reply))).envelope.success).toBe(true);
  });

  it('lets a visitor’s call go on when it has ended', async () => {
    const member = await test.buildMember();
    await test.services.loginSessions.revokeSession(member.loginSessionId);

    const reply = await test.as(member).send('POST /gateway/user/login', {
      body: { type: 'password', username: member.username, password: TEST_PASSWORD },
    });

    expect(reply.data.user.userId).toBe(member.memberId);
  });

  it('is noted as seen at most once a minute', async () => {
    const member = await test.buildMember();
    const made = await lastSeen(member.loginSessionId);

    await advance(test.db, 60_000);
    await test.as(member).send(WHO);
    expect(await lastSeen(member.loginSessionId)).toEqual(made);

    await advance(test.db, 1);
    await Promise.all(Array.from({ length: 10 }, () => test.as(member).send(WHO)));
    expect((await lastSeen(member.loginSessionId)).getTime()).toBe(made.getTime() + 60_001);
  });

  it('refuses 401 before it looks at the input', async () => {
    expect(await test.as(null).send(WHO, { query: { unknown: 'x' } })).toFailWith('UNAUTHORIZED');
    expect(await test.as(await test.buildMember()).send(WHO, { query: { unknown: 'x' } })).toFailWith('INVALID_INPUT');
  });
});

describe('logout', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp();
  });
  afterAll(() => test.close());

  const CALL = 'POST /gateway/user/logout';

  it('ends this login session, tells whoever listens, and clears both cookies', async () => {
    const member = await test.buildMember();
    const revoked: string[] = [];
    const stopListening = test.services.loginSessions.onRevoked((id) => revoked.push(id));

    const reply = await test.as(member).send(CALL);
    stopListening();

    expect(reply.data).toEqual({});
    expect(reply.cookies.map(({ name, value }) => [name, value])).toEqual([
      ['sessionId', ''],
      ['atelier', ''],
    ]);
    expect(revoked).toEqual([member.loginSessionId]);
    expect(await test.services.loginSessions.isActive(member.loginSessionId)).toBe(false);
    expect(await test.as(member).send(WHO)).toFailWith('UNAUTHORIZED');
  });

  it('is seen by another gateway at once', async () => {
    const second = await buildTestApp({ url: test.url });
    const member = await test.buildMember();
    expect(await second.services.loginSessions.isActive(member.loginSessionId)).toBe(true);

    await test.as(member).send(CALL);

    expect(await second.services.loginSessions.isActive(member.loginSessionId)).toBe(false);
    expect(await second.as(member).send(WHO)).toFailWith('UNAUTHORIZED');
    await second.close();
  });

  it('is fine without a session, and with a session that is not one’s own ends nothing', async () => {
    const member = await test.buildMember();

    expect((await test.as(null).send(CALL)).data).toEqual({});
    const cookie = `sessionId=${member.loginSessionId}; atelier=guess`;
    expect((await test.as(null).send(CALL, { headers: { cookie } })).data).toEqual({});

    expect((await test.as(member).send(WHO)).data.userId).toBe(member.memberId);
  });

  it('leaves the member’s other sessions alone', async () => {
    const member = await test.buildMember();
    const other = await test.as(null).send('POST /gateway/user/login', {
      body: { type: 'password', username: member.username, password: TEST_PASSWORD },
    });

    await test.as(member).send(CALL);

    expect((await test.as(null).send(WHO, { headers: { cookie: cookiesAfter(other) } })).data.userId).toBe(member.memberId);
  });

  it('takes an empty JSON body and refuses a field', async () => {
    const empty = await test.app.inject({
      method: 'POST',
      url: '/gateway/user/logout',
      headers: { 'content-type': 'application/json' },
    });
    expect(empty.json()).toMatchObject({ success: true, code: 0 });

    expect(await test.as(null).send(CALL, { body: { all: true } })).toFailWith('INVALID_INPUT');
  });
});
