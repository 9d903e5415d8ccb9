import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import { codeFor, cookiesAfter, newMobile, newUsername, PASSWORD, registration, textsTo, wrong } from './userWorld';

const CALL = 'POST /gateway/user/register';

describe('register', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp();
  });
  afterAll(() => test.close());

  const register = (body: unknown, headers = {}) => test.as(null).send(CALL, { body, headers });

  async function remaining(mobile: string): Promise<{ members: number; codesInForce: number }> {
    const { rows } = await test.pool.query(
      `select (select count(*)::int from member where mobile = $1) as members,
              (select count(*)::int from verification_code where mobile = $1 and used_at is null and voided_at is null) as codes`,
      [mobile],
    );
    return { members: rows[0].members, codesInForce: rows[0].codes };
  }

  it('makes a member with wallet, gift, what brought them here and a login session', async () => {
    const mobile = newMobile();
    const captcha = await codeFor(test, mobile, 'register');
    const username = newUsername();
    const extras = { email: 'li@school.edu.cn', source: 'campus', eventCode: 'spring' };

    const reply = await register({ ...registration(mobile, captcha, username), ...extras });

    expect(reply.data).toEqual({
      sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      expiresInDays: 7,
      user: {
        userId: expect.any(String),
        userName: username,
        mobilePhone: `${mobile.slice(3, 6)}****${mobile.slice(-4)}`,
        isRealName: false,
        isStudent: false,
        memberExpirationDate: '',
        remainDcu: 10,
        packageName: '',
        levelFlag: 0,
      },
    });
    const { rows } = await test.pool.query('select email, source, event_code, password_hash from member where mobile = $1', [
      mobile,
    ]);
    expect(rows).toEqual([
      { email: extras.email, source: 'campus', event_code: 'spring', password_hash: expect.stringMatching(/^\$argon2id\$/) },
    ]);
    const me = await test.as(null).send('GET /gateway/user/getUserBySession', { headers: { cookie: cookiesAfter(reply) } });
    expect(me.data.userId).toBe(reply.data.user.userId);
  });

  it('gives the signup gift as a lot of ninety days, once a number for ever', async () => {
    const mobile = newMobile();
    const { data } = await register(registration(mobile, await codeFor(test, mobile, 'register')));

    const { rows } = await test.pool.query(
      `select t.idem_key, l.source, l.granted, round(extract(epoch from l.expires_at - l.granted_at) / 86400)::int as days
       from dcu_lot l join ledger_tx t on t.id = l.origin_tx_id where l.member_id = $1`,
      [data.user.userId],
    );
    expect(rows).toEqual([
      { idem_key: expect.stringMatching(/^gift:signup:[0-9a-f]{64}$/), source: 'gift', granted: 10_000_000n, days: 90 },
    ]);
    expect(rows[0].idem_key).not.toContain(mobile.slice(1));
  });

  it('refuses a wrong code, and the right one after five wrong ones', async () => {
    const mobile = newMobile();
    const captcha = await codeFor(test, mobile, 'register');

    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect(await register(registration(mobile, wrong(captcha)))).toFailWith('INVALID_CAPTCHA');
    }

    expect(await register(registration(mobile, captcha))).toFailWith('INVALID_CAPTCHA');
    expect(await remaining(mobile)).toEqual({ members: 0, codesInForce: 0 });
  });

  it('refuses a code of another scene and a code of another number', async () => {
    const [mobile, other] = [newMobile(), newMobile()];
    const loginCode = await codeFor(test, mobile, 'login');
    const foreignCode = await codeFor(test, other, 'register');

    expect(await register(registration(mobile, loginCode))).toFailWith('INVALID_CAPTCHA');
    expect(await register(registration(mobile, foreignCode))).toFailWith('INVALID_CAPTCHA');
  });

  it('refuses a taken username whatever its case, and leaves the code good for another', async () => {
    const taken = await test.buildMember({ username: 'Li.Hua' });
    const mobile = newMobile();
    const captcha = await codeFor(test, mobile, 'register');

    expect(await register(registration(mobile, captcha, taken.username.toUpperCase()))).toFailWith('USERNAME_TAKEN');

    expect((await register(registration(mobile, captcha))).data.user.remainDcu).toBe(10);
  });

  it('tells nothing of usernames to somebody without the code', async () => {
    const taken = await test.buildMember();
    const mobile = newMobile();
    const captcha = await codeFor(test, mobile, 'register');

    expect(await register(registration(mobile, wrong(captcha), taken.username))).toFailWith('INVALID_CAPTCHA');
  });

  it('tells whoever proves a known number that it has an account', async () => {
    const { mobile } = await test.buildMember();
    const captcha = await codeFor(test, mobile, 'register');

    expect(await register(registration(mobile, captcha))).toFailWith('MOBILE_TAKEN');

    expect((await textsTo(test, mobile))[0]?.text).toContain('already has an account');
  });

  it.each([
    ['password', 'PASSWORD_TOO_WEAK'],
    ['longenough', 'PASSWORD_TOO_WEAK'],
  ] as const)('refuses the password %s and says why', async (password, error) => {
    const reply = await register({ ...registration(newMobile(), '000000'), password, confirm: password });

    expect(reply).toFailWith(error);
    expect(reply.envelope.data).toEqual({ feedback: { warning: expect.any(String), suggestions: expect.any(Array) } });
  });

  it('refuses the username as password', async () => {
    const body = registration(newMobile(), '000000', 'zhangwei.optics');

    expect(await register({ ...body, password: 'zhangwei.optics1', confirm: 'zhangwei.optics1' })).toFailWith('PASSWORD_TOO_WEAK');
  });

  it('refuses passwords that differ', async () => {
    expect(await register({ ...registration(newMobile(), '000000'), confirm: `${PASSWORD}.` })).toFailWith('PASSWORDS_DIFFER');
  });

  it.each([
    ['body.mobile', { mobile: '12345678901' }],
    ['body.mobile', { mobile: '010-12345678' }],
    ['body.username', { username: 'ab' }],
    ['body.username', { username: '1student' }],
    ['body.username', { username: 'li hua' }],
    ['body.password', { password: 'short', confirm: 'shorter1' }],
    ['body.password', { password: 'x'.repeat(129) }],
    ['body.captcha', { captcha: '12345' }],
    ['body.email', { email: 'not an address' }],
    ['body.source', { source: 'x'.repeat(65) }],
    ['body.levelFlag', { levelFlag: 3 }],
    ['body.isStudent', { isStudent: true }],
    ['body.username', { username: { $ne: null } }],
  ])('names %s when it does not fit (%#)', async (field, change) => {
    const reply = await register({ ...registration('13800138000', '123456'), ...change });

    expect(reply).toFailWith('INVALID_INPUT');
    expect(reply.envelope.data).toMatchObject({ fields: expect.arrayContaining([expect.objectContaining({ field })]) });
  });

  it('lets one of fifty parallel registrations with the right code through', async () => {
    const mobile = newMobile();
    const captcha = await codeFor(test, mobile, 'register');

    const replies = await Promise.all(Array.from({ length: 50 }, () => register(registration(mobile, captcha))));

    const codes = replies.map((reply) => reply.envelope.code).sort();
    expect(codes).toEqual([0, ...Array(49).fill(10102)]);
    expect(await remaining(mobile)).toEqual({ members: 1, codesInForce: 0 });
  }, 30_000);

  it('gives one username to one of two who ask for it at once', async () => {
    const mobiles = [newMobile(), newMobile()];
    const captchas = await Promise.all(mobiles.map((mobile) => codeFor(test, mobile, 'register')));

    const replies = await Promise.all(
      mobiles.map((mobile, index) => register(registration(mobile, captchas[index] ?? '', index ? 'same-name' : 'SAME-name'))),
    );

    expect(replies.map((reply) => reply.envelope.code).sort()).toEqual([0, 10104]);
  });

  it('leaves nothing behind when a part of it fails', async () => {
    const mobile = newMobile();
    const captcha = await codeFor(test, mobile, 'register');
    await test.pool.query('alter table login_session add constraint broken check (false) not valid');

    const reply = await register(registration(mobile, captcha));
    await test.pool.query('alter table login_session drop constraint broken');

    expect(reply).toFailWith('INTERNAL');
    expect(await remaining(mobile)).toEqual({ members: 0, codesInForce: 1 });
    expect((await register(registration(mobile, captcha))).data.user.remainDcu).toBe(10);
  });
});
