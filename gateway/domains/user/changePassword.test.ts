import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import { TEST_PASSWORD, type TestMember } from '../../testing/factories';
import { advance } from '../../testing/testDatabase';
import { cookiesAfter, PASSWORD, textsTo } from './userWorld';

const CALL = 'POST /gateway/user/changePassword';
const WHO = 'GET /gateway/user/getUserBySession';

describe('changing the password', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp({ config: { trustedProxies: ['127.0.0.1'] } });
    await advance(test.db, 0);
  });
  afterAll(() => test.close());

  const body = (password = PASSWORD, oldPassword = TEST_PASSWORD) => ({ oldPassword, password, confirm: password });
  const change = (member: TestMember, sent: unknown = body(), headers = {}) => test.as(member).send(CALL, { body: sent, headers });
  const login = (username: string, password: string, more = {}) =>
    test.as(null).send('POST /gateway/user/login', { body: { type: 'password', username, password, ...more } });
  const who = (cookie: string) => test.as(null).send(WHO, { headers: { cookie } });

  it('needs the present one and puts the new one in its place', async () => {
    const member = await test.buildMember();

    await change(member);

    expect(await login(member.username, TEST_PASSWORD)).toFailWith('INVALID_CREDENTIALS');
    expect((await login(member.username, PASSWORD)).data.user.userId).toBe(member.memberId);
  });

  it('gives this browser new values of both cookies, voids the old ones and ends all other sessions', async () => {
    const member = await test.buildMember();
    const others = [await login(member.username, TEST_PASSWORD), await login(member.username, TEST_PASSWORD)];
    const stranger = await test.buildMember();
    const revoked: string[] = [];
    const stopListening = test.services.loginSessions.onRevoked((id) => revoked.push(id));

    const reply = await change(member);
    stopListening();

    expect(reply.data).toEqual({ sessionId: expect.any(String), expiresInDays: 7, endedSessions: 2 });
    expect(reply.data.sessionId).not.toBe(member.loginSessionId);
    expect(reply.cookies.map(({ name, httpOnly = false }) => [name, httpOnly])).toEqual([
      ['sessionId', false],
      ['atelier', true],
    ]);
    expect(reply.cookies[1]?.value).not.toBe(member.loginSecret);
    expect((await who(cookiesAfter(reply))).data.userId).toBe(member.memberId);
    const ended = [member.loginSessionId, ...others.map(({ data }) => data.sessionId)];
    expect(revoked.sort()).toEqual(ended.sort());
    expect(await test.as(member).send(WHO)).toFailWith('UNAUTHORIZED');
    for (const other of others) expect(await who(cookiesAfter(other))).toFailWith('UNAUTHORIZED');
    // Half of the old pair and half of the new one are no pair.
    expect(await who(`sessionId=${reply.data.sessionId}; atelier=${member.loginSecret}`)).toFailWith('UNAUTHORIZED');
    expect((await test.as(stranger).send(WHO)).data.userId).toBe(stranger.memberId);
  });

  it('keeps a browser signed in for thirty days that had asked for it', async () => {
    const member = await test.buildMember();
    const cookie = cookiesAfter(await login(member.username, TEST_PASSWORD, { keepSignedIn: true }));

    const reply = await test.as(null).send(CALL, { body: body(), headers: { cookie } });

    expect(reply.data).toMatchObject({ expiresInDays: 30, endedSessions: 1 });
    expect(reply.cookies.map(({ maxAge }) => maxAge)).toEqual([2_592_000, 2_592_000]);
  });

  it('does not count sessions that had ended before', async () => {
    const member = await test.buildMember();
    const gone = await login(member.username, TEST_PASSWORD);
    await test.services.loginSessions.revokeSession(gone.data.sessionId);
    await login(member.username, TEST_PASSWORD);
    await test.pool.query(
      `update login_session set expires_at = app_now() where member_id = $1 and id <> $2 and revoked_at is null`,
      [member.memberId, member.loginSessionId],
    );

    expect((await change(member)).data.endedSessions).toBe(0);
  });

  it('tells the owner by text, without a code', async () => {
    const member = await test.buildMember();

    await change(member, body(), { 'accept-language': 'zh-CN' });

    expect(await textsTo(test, member.mobile)).toEqual([
      expect.objectContaining({ scene: 'passwordChanged', code: null, text: expect.stringContaining('密码刚刚被修改') }),
    ]);
  });

  it('is refused with a wrong present password, which changes nothing and signs nobody out', async () => {
    const member = await test.buildMember();

    const reply = await change(member, body(PASSWORD, 'not it'));

    expect(reply).toFailWith('WRONG_PASSWORD');
    expect(reply.cookies).toEqual([]);
    expect((await test.as(member).send(WHO)).data.userId).toBe(member.memberId);
    expect((await login(member.username, TEST_PASSWORD)).envelope.success).toBe(true);
    expect(await textsTo(test, member.mobile)).toEqual([]);
  });

  it('slows whoever guesses the present one, as at the sign-in and together with it', async () => {
    const member = await test.buildMember();
    const from = { 'x-forwarded-for': '203.0.113.5' };
    for (let count = 0; count < 5; count += 1) {
      expect(await change(member, body(PASSWORD, 'a guess'), from)).toFailWith('WRONG_PASSWORD');
    }

    const slowed = await change(member, body(), from);
    expect(slowed).toFailWith('LOGIN_SLOWED');
    expect(slowed.headers['retry-after']).toBe('5');
    const signIn = { type: 'password', username: member.username, password: TEST_PASSWORD };
    expect(await test.as(null).send('POST /gateway/user/login', { body: signIn, headers: from })).toFailWith('LOGIN_SLOWED');

    await advance(test.db, 5_000);
    expect((await change(member, body(), from)).envelope.success).toBe(true);
  });

  it.each([
    ['PASSWORDS_DIFFER', { confirm: 'something else 42' }],
    ['PASSWORD_UNCHANGED', { password: TEST_PASSWORD, confirm: TEST_PASSWORD }],
    ['PASSWORD_TOO_WEAK', { password: 'password', confirm: 'password' }],
  ] as const)('is refused with %s before a try at the present one is counted', async (error, difference) => {
    const member = await test.buildMember();
    const tries = async () => (await test.pool.query('select sum(failures)::int as tries from login_slowdown')).rows[0].tries;
    const before = await tries();

    expect(await change(member, { ...body(), oldPassword: TEST_PASSWORD, ...difference })).toFailWith(error);

    expect(await tries()).toBe(before);
  });

  it('is refused with the username or the phone number as the new one', async () => {
    const member = await test.buildMember({ username: 'wang.fang.lantern' });

    for (const password of ['wang.fang.lantern1', member.mobile.slice(3)]) {
      expect(await change(member, body(password))).toFailWith('PASSWORD_TOO_WEAK');
    }
  });

  it('is possible ten times an hour', async () => {
    const member = await test.buildMember();
    let { headers, present }: { headers: Record<string, string>; present: string } = { headers: {}, present: TEST_PASSWORD };
    for (let count = 0; count < 10; count += 1) {
      const next = `${PASSWORD} ${count}`;
      const reply = await test.as(member).send(CALL, { body: body(next, present), headers });
      expect(reply.envelope.success).toBe(true);
      [headers, present] = [{ cookie: cookiesAfter(reply) }, next];
    }

    const eleventh = await test.as(member).send(CALL, { body: body(PASSWORD, present), headers });

    expect(eleventh).toFailWith('TOO_MANY_REQUESTS');
    expect((await who(headers.cookie ?? '')).envelope.success).toBe(true);
  });

  it.each([
    ['body.oldPassword', { oldPassword: '' }],
    ['body.password', { password: 'short' }],
    ['body.confirm', { confirm: undefined }],
    ['body.username', { username: 'somebody' }],
  ])('names %s when it does not fit', async (field, difference) => {
    const reply = await change(await test.buildMember(), { ...body(), ...difference });

    expect(reply).toFailWith('INVALID_INPUT');
    expect(reply.envelope.data).toMatchObject({ fields: expect.arrayContaining([expect.objectContaining({ field })]) });
  });

  it('is for members', async () => {
    expect(await test.as(null).send(CALL, { body: body() })).toFailWith('UNAUTHORIZED');
  });

  it('is done by one of five who do it at once, and the others stay out', async () => {
    const member = await test.buildMember();
    const passwords = Array.from({ length: 5 }, (_, index) => `${PASSWORD} ${index}`);

    const replies = await Promise.all(passwords.map((password) => change(member, body(password))));

    const winners = replies.filter(({ envelope }) => envelope.success);
    expect(winners).toHaveLength(1);
    for (const reply of replies) if (!winners.includes(reply)) expect(reply).toFailWith('UNAUTHORIZED');
    const winner = winners[0];
    if (!winner) throw new Error('nobody won');
    expect((await who(cookiesAfter(winner))).data.userId).toBe(member.memberId);
    expect((await login(member.username, passwords[replies.indexOf(winner)] ?? '')).envelope.success).toBe(true);
    const { rows } = await test.pool.query(
      'select count(*)::int as open from login_session where member_id = $1 and revoked_at is null',
      [member.memberId],
    );
    // The winner's browser and the sign-in just made.
    expect(rows[0].open).toBe(2);
  }, 30_000);
});
