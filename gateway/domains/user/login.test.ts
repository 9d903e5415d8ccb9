import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import { TEST_PASSWORD } from '../../testing/factories';
import { codeFor, cookiesAfter, newMobile, wrong } from './userWorld';

const CALL = 'POST /gateway/user/login';

describe('login', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp();
  });
  afterAll(() => test.close());

  const login = (body: unknown, headers = {}) => test.as(null).send(CALL, { body, headers });
  const byPassword = (username: string, password: string, headers = {}) => login({ type: 'password', username, password }, headers);
  const byCode = (mobile: string, captcha: string) => login({ type: 'mobile', mobile, captcha });

  it.each([
    ['username', (member: { username: string }) => member.username],
    ['username in other case', (member: { username: string }) => member.username.toUpperCase()],
    ['phone number', (member: { mobile: string }) => member.mobile],
    ['phone number as typed in China', (member: { mobile: string }) => member.mobile.slice(3)],
  ])('signs in by %s and password', async (_what, nameOf) => {
    const member = await test.buildMember({ levelFlag: 2, remainDcuMicro: 12_345_678n });

    const { data } = await byPassword(nameOf(member), TEST_PASSWORD);

    expect(data).toEqual({
      sessionId: expect.any(String),
      expiresInDays: 7,
      user: expect.objectContaining({ userId: member.memberId, remainDcu: 12.345678, levelFlag: 2, packageName: 'Level 2' }),
    });
  });

  it('signs in by the code of a text, once', async () => {
    const member = await test.buildMember();
    const captcha = await codeFor(test, member.mobile, 'login');

    expect((await byCode(member.mobile.slice(3), captcha)).data.user.userId).toBe(member.memberId);
    expect(await byCode(member.mobile, captcha)).toFailWith('INVALID_CAPTCHA');
  });

  it('lets one of fifty parallel uses of a right code in', async () => {
    const member = await test.buildMember();
    const captcha = await codeFor(test, member.mobile, 'login');

    const replies = await Promise.all(Array.from({ length: 50 }, () => byCode(member.mobile, captcha)));

    expect(replies.filter((reply) => reply.envelope.success)).toHaveLength(1);
    expect(replies.find((reply) => !reply.envelope.success)).toFailWith('INVALID_CAPTCHA');
  });

  it('checks five of fifty parallel guesses at a code and voids it', async () => {
    const member = await test.buildMember();
    const captcha = await codeFor(test, member.mobile, 'login');

    await Promise.all(Array.from({ length: 50 }, () => byCode(member.mobile, wrong(captcha))));

    expect(await byCode(member.mobile, captcha)).toFailWith('INVALID_CAPTCHA');
    const { rows } = await test.pool.query(
      'select tries_left, voided_at is not null as voided from verification_code where mobile = $1',
      [member.mobile],
    );
    expect(rows).toEqual([{ tries_left: 0, voided: true }]);
  });

  it('refuses a code that was sent to register or to reset', async () => {
    const [one, two] = [await test.buildMember(), await test.buildMember()];

    expect(await byCode(one.mobile, await codeFor(test, one.mobile, 'register'))).toFailWith('INVALID_CAPTCHA');
    expect(await byCode(two.mobile, await codeFor(test, two.mobile, 'reset'))).toFailWith('INVALID_CAPTCHA');
  });

  it('tells only whoever proves a number that it has no account', async () => {
    const mobile = newMobile();
    const captcha = await codeFor(test, mobile, 'login');

    expect(await byCode(mobile, wrong(captcha))).toFailWith('INVALID_CAPTCHA');
    expect(await byCode(mobile, captcha)).toFailWith('MOBILE_NOT_REGISTERED');
    expect(await byCode(newMobile(), '123456')).toFailWith('INVALID_CAPTCHA');
  });

  it('answers a wrong password and an unknown name byte for byte alike, never with 401', async () => {
    const member = await test.buildMember();

    const replies = [
      await byPassword(member.username, 'not-the-password'),
      await byPassword('nobody-at-all', 'not-the-password'),
      await byPassword(newMobile(), 'not-the-password'),
    ];

    const bodies = replies.map(({ status, envelope: { traceId: _, ...body } }) => ({ status, body }));
    expect(replies[0]).toFailWith('INVALID_CREDENTIALS');
    expect(bodies[1]).toEqual(bodies[0]);
    expect(bodies[2]).toEqual(bodies[0]);
  });

  it('keeps a member signed in for thirty days when asked to', async () => {
    const member = await test.buildMember();

    const reply = await login({ type: 'password', username: member.username, password: TEST_PASSWORD, keepSignedIn: true });

    expect(reply.data.expiresInDays).toBe(30);
    expect(reply.cookies.map((cookie) => cookie.maxAge)).toEqual([2_592_000, 2_592_000]);
  });

  it.each([
    [['body.password'], { type: 'password', username: 'someone' }],
    [['body.username'], { type: 'password', password: 'x' }],
    [['body.username', 'body.password'], { type: 'password', mobile: '13800138000', captcha: '123456' }],
    [['body.captcha'], { type: 'mobile', mobile: '13800138000' }],
    [['body.mobile', 'body.captcha'], { type: 'mobile', username: 'someone', password: 'x' }],
    [['body.mobile'], { type: 'mobile', mobile: '12345678901', captcha: '123456' }],
    [['body.type'], { type: 'magic' }],
    [['body.type'], {}],
    [['body.userId'], { type: 'password', username: 'someone', password: 'x', userId: '1' }],
    [['body.password'], { type: 'password', username: 'someone', password: ['x'] }],
  ])('names %p when it is missing or does not fit', async (fields, body) => {
    const reply = await login(body);

    expect(reply).toFailWith('INVALID_INPUT');
    expect(reply.envelope.data).toEqual({ fields: fields.map((field) => expect.objectContaining({ field })) });
  });

  it('makes new values of both cookies and ends the session this browser had', async () => {
    const [first, second] = [await test.buildMember(), await test.buildMember()];
    const before = await byPassword(first.username, TEST_PASSWORD);
    const cookie = cookiesAfter(before);

    const after = await byPassword(second.username, TEST_PASSWORD, { cookie });

    const values = new Set([...before.cookies, ...after.cookies].map(({ value }) => value));
    expect(values.size).toBe(4);
    expect(await test.as(null).send('GET /gateway/user/getUserBySession', { headers: { cookie } })).toFailWith('UNAUTHORIZED');
  });

  it('takes no session id a stranger has planted', async () => {
    const member = await test.buildMember();
    const planted = '01890000-0000-7000-8000-000000000000';

    const reply = await byPassword(member.username, TEST_PASSWORD, { cookie: `sessionId=${planted}; atelier=planted` });

    expect(reply.data.sessionId).not.toBe(planted);
    const values = reply.cookies.map(({ value }) => value);
    expect(values).not.toContain(planted);
    expect(values).not.toContain('planted');
  });
});
