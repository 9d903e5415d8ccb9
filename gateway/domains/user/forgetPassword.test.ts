import { createHmac } from 'node:crypto';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import { TEST_PASSWORD, type TestMember } from '../../testing/factories';
import type { TestReply } from '../../testing/testClient';
import { advance } from '../../testing/testDatabase';
import { codeFor, cookiesAfter, newMobile, PASSWORD, textsTo, wrong } from './userWorld';

const CALL = 'POST /gateway/user/forgetPassword';
const WHO = 'GET /gateway/user/getUserBySession';

describe('a forgotten password', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp({ config: { trustedProxies: ['127.0.0.1'] } });
    await advance(test.db, 0);
  });
  afterAll(() => test.close());

  const body = (mobile: string, captcha: string, password = PASSWORD) => ({ mobile, captcha, password, confirm: password });
  const reset = (sent: unknown, headers = {}) => test.as(null).send(CALL, { body: sent, headers });
  const login = (username: string, password: string, headers = {}) =>
    test.as(null).send('POST /gateway/user/login', { body: { type: 'password', username, password }, headers });

  /** Puts a code in force that nobody was told, as for a number without an account. */
  async function plantCode(mobile: string, code: string): Promise<void> {
    await test.as(null).send('GET /gateway/user/sendVerificationCode', { query: { mobile, scene: 'reset' } });
    const hash = createHmac('sha256', test.installation.hmacKey).update(`code\0reset\0${mobile}\0${code}`).digest();
    await test.pool.query('update verification_code set code_hash = $1 where mobile = $2', [hash, mobile]);
  }

  const bytesOf = ({ status, envelope: { traceId: _, ...rest }, headers: { date: __, ...others } }: TestReply) =>
    JSON.stringify({ status, rest, others });

  it('is replaced by a new one for whoever has the code, and nobody is signed in by it', async () => {
    const member = await test.buildMember();

    const reply = await reset(body(member.mobile.slice(3), await codeFor(test, member.mobile, 'reset')));

    expect(reply.data).toEqual({ userId: member.memberId, userName: member.username });
    expect(reply.cookies).toEqual([]);
    expect(await login(member.username, TEST_PASSWORD)).toFailWith('INVALID_CREDENTIALS');
    expect((await login(member.username, PASSWORD)).data.user.userId).toBe(member.memberId);
  });

  it('tells the owner by text, without a code', async () => {
    const member = await test.buildMember();

    await reset(body(member.mobile, await codeFor(test, member.mobile, 'reset')));

    expect((await textsTo(test, member.mobile)).map(({ scene, code }) => [scene, code])).toEqual([
      ['reset', expect.stringMatching(/^\d{6}$/)],
      ['passwordChanged', null],
    ]);
    expect((await textsTo(test, member.mobile))[1]?.text).toMatch(/password was changed.*If this was not you/);
  });

  it('ends every login session of the member, tells the sockets after that stands, and leaves other members alone', async () => {
    const [member, other] = [await test.buildMember(), await test.buildMember()];
    const second = await login(member.username, TEST_PASSWORD);
    const standing: Promise<boolean>[] = [];
    const revoked: string[] = [];
    const stopListening = test.services.loginSessions.onRevoked((id) => {
      revoked.push(id);
      standing.push(test.services.loginSessions.isActive(id));
    });

    const own = await test.as(member).send(CALL, { body: body(member.mobile, await codeFor(test, member.mobile, 'reset')) });
    stopListening();

    expect(revoked.sort()).toEqual([member.loginSessionId, second.data.sessionId].sort());
    expect(await Promise.all(standing)).toEqual([false, false]);
    expect(own.cookies.map(({ name, value }) => [name, value])).toEqual([
      ['sessionId', ''],
      ['atelier', ''],
    ]);
    expect(await test.as(member).send(WHO)).toFailWith('UNAUTHORIZED');
    expect(await test.as(null).send(WHO, { headers: { cookie: cookiesAfter(second) } })).toFailWith('UNAUTHORIZED');
    expect((await test.as(other).send(WHO)).data.userId).toBe(other.memberId);
  });

  it('leaves another member signed in in this browser', async () => {
    const [member, other] = [await test.buildMember(), await test.buildMember()];

    const reply = await test.as(other).send(CALL, { body: body(member.mobile, await codeFor(test, member.mobile, 'reset')) });

    expect(reply.cookies).toEqual([]);
    expect((await test.as(other).send(WHO)).data.userId).toBe(other.memberId);
  });

  it('lets the owner in at once who was slowed down before', async () => {
    const member = await test.buildMember();
    const from = { 'x-forwarded-for': '203.0.113.77' };
    for (let count = 0; count < 5; count += 1) await login(member.username, 'a guess', from);
    expect(await login(member.username, TEST_PASSWORD, from)).toFailWith('LOGIN_SLOWED');

    await reset(body(member.mobile, await codeFor(test, member.mobile, 'reset')));

    expect((await login(member.username, PASSWORD, from)).data.user.userId).toBe(member.memberId);
  });

  it('may be the one that was forgotten', async () => {
    const member = await test.buildMember();

    const reply = await reset(body(member.mobile, await codeFor(test, member.mobile, 'reset'), TEST_PASSWORD));

    expect(reply.data.userId).toBe(member.memberId);
  });

  it('is not replaced by a wrong code, nor by the right one after five wrong ones', async () => {
    const member = await test.buildMember();
    const captcha = await codeFor(test, member.mobile, 'reset');

    for (let count = 0; count < 5; count += 1)
      expect(await reset(body(member.mobile, wrong(captcha)))).toFailWith('INVALID_CAPTCHA');

    expect(await reset(body(member.mobile, captcha))).toFailWith('INVALID_CAPTCHA');
    expect((await login(member.username, TEST_PASSWORD)).data.user.userId).toBe(member.memberId);
  });

  it('is not replaced by a code of another scene, of another number, or that was used', async () => {
    const [member, other] = [await test.buildMember(), await test.buildMember()];
    const used = await codeFor(test, member.mobile, 'reset');
    await reset(body(member.mobile, used));

    expect(await reset(body(member.mobile, used))).toFailWith('INVALID_CAPTCHA');
    expect(await reset(body(member.mobile, await codeFor(test, other.mobile, 'reset')))).toFailWith('INVALID_CAPTCHA');
    await advance(test.db, 60_000);
    expect(await reset(body(member.mobile, await codeFor(test, member.mobile, 'login')))).toFailWith('INVALID_CAPTCHA');
  });

  it('answers a known and an unknown number byte for byte alike, with and without a code in force', async () => {
    const known = (await test.buildMember()).mobile;
    const unknown = newMobile();
    for (const sent of [
      (mobile: string) => body(mobile, '123456'),
      (mobile: string) => body(mobile, '123456', 'password'),
      (mobile: string) => ({ ...body(mobile, '123456'), confirm: 'another one altogether' }),
    ]) {
      expect(bytesOf(await reset(sent(unknown)))).toBe(bytesOf(await reset(sent(known))));
    }

    await plantCode(known, '111111');
    await plantCode(unknown, '111111');

    expect(await reset(body(unknown, '222222'))).toFailWith('INVALID_CAPTCHA');
    expect(bytesOf(await reset(body(unknown, '222222')))).toBe(bytesOf(await reset(body(known, '222222'))));
  });

  it('tells only whoever proves a number that it has no account', async () => {
    const mobile = newMobile();
    await plantCode(mobile, '111111');

    expect(await reset(body(mobile, '222222'))).toFailWith('INVALID_CAPTCHA');
    expect(await reset(body(mobile, '111111'))).toFailWith('MOBILE_NOT_REGISTERED');
    expect(await reset(body(mobile, '111111'))).toFailWith('INVALID_CAPTCHA');
    expect((await textsTo(test, mobile)).map(({ code }) => code)).toEqual([null]);
  });

  it('is judged as at registering, and by the account’s own words only once the number is proven', async () => {
    const member = await test.buildMember({ username: 'zhangwei.lantern' });
    const captcha = await codeFor(test, member.mobile, 'reset');
    const own = 'zhangwei.lantern1';

    const weak = await reset(body(member.mobile, captcha, 'password'));
    expect(weak).toFailWith('PASSWORD_TOO_WEAK');
    expect(weak.envelope.data).toEqual({ feedback: { warning: expect.any(String), suggestions: expect.any(Array) } });
    expect(await reset(body(member.mobile, captcha, member.mobile))).toFailWith('PASSWORD_TOO_WEAK');
    expect(await reset(body(member.mobile, wrong(captcha), own))).toFailWith('INVALID_CAPTCHA');
    expect(await reset(body(member.mobile, captcha, own))).toFailWith('PASSWORD_TOO_WEAK');

    expect((await reset(body(member.mobile, captcha))).data.userId).toBe(member.memberId);
  });

  it('refuses passwords that differ', async () => {
    expect(await reset({ ...body(newMobile(), '000000'), confirm: `${PASSWORD}.` })).toFailWith('PASSWORDS_DIFFER');
  });

  it.each([
    ['body.mobile', { mobile: '12345678901' }],
    ['body.password', { password: 'short' }],
    ['body.captcha', { captcha: '12345' }],
    ['body.userId', { userId: 'x' }],
  ])('names %s when it does not fit', async (field, change) => {
    const reply = await reset({ ...body('13800138000', '123456'), ...change });

    expect(reply).toFailWith('INVALID_INPUT');
    expect(reply.envelope.data).toMatchObject({ fields: expect.arrayContaining([expect.objectContaining({ field })]) });
  });

  it('is asked for sixty times a minute from one address', async () => {
    const from = { 'x-forwarded-for': '203.0.113.99' };
    const replies = await Promise.all(Array.from({ length: 61 }, () => reset(body(newMobile(), '000000'), from)));

    expect(replies.filter(({ envelope }) => envelope.code === 10102)).toHaveLength(60);
    const refused = replies.find(({ status }) => status === 429);
    expect(refused).toFailWith('TOO_MANY_REQUESTS');
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('leaves nothing behind when a part of it fails', async () => {
    const member = await test.buildMember();
    const captcha = await codeFor(test, member.mobile, 'reset');
    await test.pool.query('alter table login_session add constraint broken check (revoked_at is null) not valid');

    const reply = await reset(body(member.mobile, captcha));
    await test.pool.query('alter table login_session drop constraint broken');

    expect(reply).toFailWith('INTERNAL');
    expect((await test.as(member).send(WHO)).data.userId).toBe(member.memberId);
    expect((await login(member.username, TEST_PASSWORD)).data.user.userId).toBe(member.memberId);
    expect((await reset(body(member.mobile, captcha))).data.userId).toBe(member.memberId);
  });

  it('stands although the text that tells of it cannot be sent', async () => {
    const own = await buildTestApp({ config: { smsDailyBudget: 1 } });
    const member = await own.buildMember();

    const reply = await own.as(null).send(CALL, { body: body(member.mobile, await codeFor(own, member.mobile, 'reset')) });

    expect(reply.data.userId).toBe(member.memberId);
    expect(await textsTo(own, member.mobile)).toHaveLength(1);
    await own.close();
  });

  const itDeep = process.env.ATELIER_DEEP === '1' ? it : it.skip;
  itDeep(
    'takes as long for a number without an account as for one that has one',
    async () => {
      const numbers = { known: (await test.buildMember()).mobile, unknown: newMobile() };
      const tookMs: Record<keyof typeof numbers, number[]> = { known: [], unknown: [] };
      const rounds = 150;
      for (let round = 0; round < rounds; round += 1) {
        for (const who of ['known', 'unknown'] as const) {
          // The code must be in force for every round: a void one would spare the hash.
          if (round % 4 === 0) {
            await test.pool.query('delete from verification_code where mobile = $1', [numbers[who]]);
            await plantCode(numbers[who], '111111');
          }
          const startedMs = performance.now();
          expect(await reset(body(numbers[who], '222222'))).toFailWith('INVALID_CAPTCHA');
          tookMs[who].push(performance.now() - startedMs);
        }
      }

      const median = (list: number[]) => list.sort((one, other) => one - other)[rounds / 2] ?? 0;
      const [known, unknown] = [median(tookMs.known), median(tookMs.unknown)];
      // A hash more or less would be a multiple.
      expect(Math.abs(known - unknown)).toBeLessThan(0.15 * Math.max(known, unknown));
    },
    120_000,
  );

  describe('in a race', () => {
    it('is replaced by one of twenty who use one code at once', async () => {
      const member = await test.buildMember();
      const captcha = await codeFor(test, member.mobile, 'reset');
      const passwords = Array.from({ length: 20 }, (_, index) => `${PASSWORD} ${index}`);

      const replies = await Promise.all(passwords.map((password) => reset(body(member.mobile, captcha, password))));

      const codes = replies.map(({ envelope }) => envelope.code);
      expect([...codes].sort()).toEqual([0, ...Array(19).fill(10102)]);
      const winner = passwords[codes.indexOf(0)] ?? '';
      expect((await login(member.username, winner)).envelope.success).toBe(true);
    }, 30_000);

    it('leaves no session of the old password, however sign-in and reset meet', async () => {
      for (let round = 0; round < 8; round += 1) {
        const member: TestMember = await test.buildMember();
        const captcha = await codeFor(test, member.mobile, 'reset');

        const [done, ...signedIn] = await Promise.all([
          reset(body(member.mobile, captcha)),
          ...Array.from({ length: 4 }, () => login(member.username, TEST_PASSWORD)),
        ]);

        expect(done.envelope.success).toBe(true);
        for (const reply of signedIn) {
          if (!reply.envelope.success) expect(reply).toFailWith('INVALID_CREDENTIALS');
          else expect(await test.as(null).send(WHO, { headers: { cookie: cookiesAfter(reply) } })).toFailWith('UNAUTHORIZED');
        }
      }
    }, 60_000);

    it('refuses a sign-in whose password was right until a moment ago', async () => {
      const member = await test.buildMember();
      const captcha = await codeFor(test, member.mobile, 'reset');
      const blocker = await test.pool.connect();
      await blocker.query('begin');
      await blocker.query('select from member where id = $1 for update', [member.memberId]);

      const signingIn = login(member.username, TEST_PASSWORD);
      await waitingFor(1);
      await blocker.query('update member set password_hash = $2 where id = $1', [member.memberId, 'changed']);
      await blocker.query('commit');
      blocker.release();

      expect(await signingIn).toFailWith('INVALID_CREDENTIALS');
      expect((await reset(body(member.mobile, captcha))).data.userId).toBe(member.memberId);
    });

    /** Resolves once so many statements wait for a lock in this database. */
    async function waitingFor(count: number): Promise<void> {
      for (;;) {
        const { rows } = await test.pool.query(
          `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        if (rows[0].waiting >= count) return;
      }
    }
  });
});
