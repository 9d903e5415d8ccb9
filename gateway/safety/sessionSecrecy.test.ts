import { type Calls, calls } from '../contract/calls';
import { codeFor, cookiesAfter, newMobile, registration, wrong } from '../domains/user/userWorld';
import { buildTestApp, type TestApp } from '../testing/buildTestApp';
import { TEST_PASSWORD, type TestMember } from '../testing/factories';
import type { TestReply } from '../testing/testClient';
import { callRows } from './callRows';
import { createWorld } from './world';

const WHO = 'GET /gateway/user/getUserBySession';
const LOGIN = 'POST /gateway/user/login';

describe('a login session against', () => {
  let test: TestApp;
  let victim: TestMember;
  beforeAll(async () => {
    test = await buildTestApp();
  });
  beforeEach(async () => {
    victim = await test.buildMember();
  });
  afterAll(() => test.close());

  const who = (cookie: string) => test.as(null).send(WHO, { headers: { cookie } });
  const valuesOf = (reply: TestReply) => reply.cookies.map(({ value }) => value);
  const cookiesOf = ({ loginSessionId, loginSecret }: TestMember) => `sessionId=${loginSessionId}; atelier=${loginSecret}`;

  const ways: [string, (cookie: string) => Promise<TestReply>][] = [
    [
      'by password',
      (cookie) =>
        test
          .as(null)
          .send(LOGIN, { body: { type: 'password', username: victim.username, password: TEST_PASSWORD }, headers: { cookie } }),
    ],
    [
      'by code',
      async (cookie) => {
        const captcha = await codeFor(test, victim.mobile, 'login');
        return test.as(null).send(LOGIN, { body: { type: 'mobile', mobile: victim.mobile, captcha }, headers: { cookie } });
      },
    ],
    [
      'by registering',
      async (cookie) => {
        const mobile = newMobile();
        const body = registration(mobile, await codeFor(test, mobile, 'register'));
        return test.as(null).send('POST /gateway/user/register', { body, headers: { cookie } });
      },
    ],
  ];

  it.each(ways)(
    'fixation: signing in %s makes both values anew and ends the session an attacker had put there',
    async (_way, signIn) => {
      const attacker = await test.buildMember();
      const planted = cookiesOf(attacker);

      const reply = await signIn(planted);

      expect(reply.envelope.success).toBe(true);
      const values = valuesOf(reply);
      expect(values).toHaveLength(2);
      for (const value of values) expect(planted).not.toContain(value);
      expect(await who(planted)).toFailWith('UNAUTHORIZED');
      expect((await who(cookiesAfter(reply))).envelope.success).toBe(true);
    },
  );

  it.each(ways)('mixing: signing in %s, no half of the old goes with one of the new', async (_way, signIn) => {
    const before = await signIn('');
    const [oldId, oldSecret] = valuesOf(before);
    const other = await test.buildMember();
    const [id, secret] = [other.loginSessionId, other.loginSecret];

    for (const cookie of [`sessionId=${id}; atelier=${oldSecret}`, `sessionId=${oldId}; atelier=${secret}`]) {
      expect(await who(cookie)).toFailWith('UNAUTHORIZED');
    }

    expect((await who(cookiesAfter(before))).envelope.success).toBe(true);
    expect((await who(cookiesOf(other))).data.userId).toBe(other.memberId);
  });

  it('a failed sign-in: it changes nothing of the session this browser has', async () => {
    const cookie = cookiesOf(victim);
    const captcha = await codeFor(test, victim.mobile, 'login');
    const bodies = [
      { type: 'password', username: victim.username, password: 'not-the-password' },
      { type: 'mobile', mobile: victim.mobile, captcha: wrong(captcha) },
    ];

    for (const body of bodies) {
      const reply = await test.as(null).send(LOGIN, { body, headers: { cookie } });
      expect(reply.envelope.success).toBe(false);
      expect(reply.cookies).toEqual([]);
    }

    expect((await who(cookie)).data.userId).toBe(victim.memberId);
  });

  it.each<[string, (cookies: [string, string]) => string]>([
    ['the readable half alone', ([id]) => `sessionId=${id}`],
    ['a guessed secret', ([id]) => `sessionId=${id}; atelier=${'A'.repeat(43)}`],
    ['the readable half as the secret', ([id]) => `sessionId=${id}; atelier=${id}`],
    ['the secret’s stored hash', ([id]) => `sessionId=${id}; atelier=HASH`],
    ['the secret in other case', ([id, secret]) => `sessionId=${id}; atelier=${secret.toUpperCase()}`],
    ['the secret with something behind it', ([id, secret]) => `sessionId=${id}; atelier=${secret}A`],
    ['two secrets, ours second', ([id, secret]) => `sessionId=${id}; atelier=x; atelier=${secret}`],
  ])('replay with %s: 401, and the owner keeps it', async (_what, forge) => {
    const { rows } = await test.pool.query('select secret_hash from login_session where id = $1', [victim.loginSessionId]);
    const cookie = forge([victim.loginSessionId, victim.loginSecret]).replace('HASH', rows[0].secret_hash.toString('base64url'));

    for (let tries = 0; tries < 20; tries += 1) expect(await who(cookie)).toFailWith('UNAUTHORIZED');

    expect((await who(cookiesOf(victim))).data.userId).toBe(victim.memberId);
  });

  it('theft from what is kept: no table, answer or header but the one Set-Cookie has the secret', async () => {
    const world = await createWorld(test);
    const secrets = [victim.loginSecret];

    for (const key of Object.keys(calls) as (keyof Calls)[]) {
      // Some calls end their session.
      const owner = await test.buildMember({ levelFlag: 3 });
      const { envelope, headers } = await test.as(owner).send(key, await callRows[key].input({ ...world, owner }, owner));
      expect(envelope.success).toBe(true);
      expect(JSON.stringify([envelope, headers])).not.toContain(owner.loginSecret);
      secrets.push(owner.loginSecret);
    }

    const { rows: tables } = await test.pool.query("select tablename as name from pg_tables where schemaname = 'public'");
    for (const { name } of tables) {
      const { rows } = await test.pool.query(
        `select count(*)::int as hits from "${name}" t, unnest($1::text[]) secret where position(secret in t::text) > 0`,
        [secrets],
      );
      expect([name, rows[0].hits]).toEqual([name, 0]);
    }
  });
});
