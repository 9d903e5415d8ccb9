import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import { TEST_PASSWORD, type TestMember } from '../../testing/factories';
import { advance } from '../../testing/testDatabase';

const CALL = 'POST /gateway/user/login';

describe('guessing passwords', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await buildTestApp({ config: { trustedProxies: ['127.0.0.1'] } });
    await advance(test.db, 0);
  });
  afterEach(() => test.close());

  const tryFrom = (ip: string, username: string, password: string, app = test) =>
    app.as(null).send(CALL, { body: { type: 'password', username, password }, headers: { 'x-forwarded-for': ip } });

  async function failFrom(ip: string, member: TestMember, times: number): Promise<void> {
    for (let count = 0; count < times; count += 1) {
      expect(await tryFrom(ip, member.username, 'wrong')).toFailWith('INVALID_CREDENTIALS');
    }
  }

  it('is slowed after five failures, and the right password works after the delay', async () => {
    const member = await test.buildMember();
    await failFrom('203.0.113.1', member, 5);

    const slowed = await tryFrom('203.0.113.1', member.username, TEST_PASSWORD);
    expect(slowed).toFailWith('LOGIN_SLOWED');
    expect(slowed.headers['retry-after']).toBe('5');
    expect(slowed.envelope.msg).toContain('in 5 seconds');

    await advance(test.db, 5_000);
    expect((await tryFrom('203.0.113.1', member.username, TEST_PASSWORD)).envelope.success).toBe(true);
    await failFrom('203.0.113.1', member, 4);
  });

  it('waits twice as long after each further failure, a quarter of an hour at most', async () => {
    const member = await test.buildMember();
    await failFrom('203.0.113.1', member, 5);
    const waits: number[] = [];

    for (let round = 0; round < 10; round += 1) {
      const seconds = Number((await tryFrom('203.0.113.1', member.username, 'wrong')).headers['retry-after']);
      waits.push(seconds);
      await advance(test.db, seconds * 1000);
      await failFrom('203.0.113.1', member, 1);
    }

    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
  });

  it('slows an unknown name exactly like a known one', async () => {
    const outcomes = await Promise.all(
      [(await test.buildMember()).username, 'nobody-at-all'].map(async (username, index) => {
        const seen: unknown[] = [];
        for (let count = 0; count < 7; count += 1) {
          const { status, envelope, headers } = await tryFrom(`203.0.113.${index}`, username, 'wrong');
          seen.push([status, envelope.code, envelope.msg, headers['retry-after']]);
        }
        return seen;
      }),
    );

    expect(outcomes[0]).toEqual(outcomes[1]);
  });

  it('counts a member’s username and phone number as one account', async () => {
    const member = await test.buildMember();
    await failFrom('203.0.113.1', member, 4);

    expect(await tryFrom('203.0.113.1', member.mobile, 'wrong')).toFailWith('INVALID_CREDENTIALS');
    expect(await tryFrom('203.0.113.1', member.mobile, 'wrong')).toFailWith('LOGIN_SLOWED');
  });

  it('at one address leaves the owner at another alone', async () => {
    const member = await test.buildMember();
    await failFrom('203.0.113.1', member, 5);

    expect((await tryFrom('203.0.113.2', member.username, TEST_PASSWORD)).envelope.success).toBe(true);
    expect(await tryFrom('203.0.113.1', member.username, TEST_PASSWORD)).toFailWith('LOGIN_SLOWED');
  });

  it('lets at most five of a hundred parallel guesses reach the password, over two gateways', async () => {
    const member = await test.buildMember();
    const second = await buildTestApp({ url: test.url, config: { trustedProxies: ['127.0.0.1'] } });

    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, index) => tryFrom('203.0.113.1', member.username, 'wrong', index % 2 ? test : second)),
    );
    await second.close();

    expect(replies.filter((reply) => reply.envelope.code === 10101)).toHaveLength(5);
    expect(replies.filter((reply) => reply.envelope.code === 10109)).toHaveLength(95);
  });

  it('from fifty addresses is slowed for strangers and never for an address the owner knows', async () => {
    const member = await test.buildMember();
    await tryFrom('198.51.100.1', member.username, TEST_PASSWORD);

    const replies = [];
    for (let ip = 1; ip <= 50; ip += 1) replies.push(await tryFrom(`203.0.113.${ip}`, member.username, 'wrong'));

    expect(replies.filter((reply) => reply.envelope.code === 10101)).toHaveLength(30);
    expect(replies.at(-1)).toFailWith('LOGIN_SLOWED');
    expect(Number(replies.at(-1)?.headers['retry-after'])).toBeLessThanOrEqual(30);
    expect((await tryFrom('198.51.100.1', member.username, TEST_PASSWORD)).envelope.success).toBe(true);
    await advance(test.db, 30_000);
    expect((await tryFrom('198.51.100.2', member.username, TEST_PASSWORD)).envelope.success).toBe(true);
  });

  it('over many accounts is held to twenty failures a minute an address, and successes are not counted', async () => {
    const members = await Promise.all(Array.from({ length: 5 }, () => test.buildMember()));
    for (const member of members) await failFrom('203.0.113.1', member, 4);
    const other = await test.buildMember();

    expect(await tryFrom('203.0.113.1', other.username, 'wrong')).toFailWith('LOGIN_SLOWED');

    for (let count = 0; count < 25; count += 1) {
      expect((await tryFrom('203.0.113.2', other.username, TEST_PASSWORD)).envelope.success).toBe(true);
    }
  }, 30_000);

  it('is forgotten after a day, and the rows with it', async () => {
    const member = await test.buildMember();
    await failFrom('203.0.113.1', member, 5);
    await advance(test.db, 25 * 3_600_000);

    await test.services.purgeIdentity();

    expect((await test.pool.query('select count(*)::int as rows from login_slowdown')).rows).toEqual([{ rows: 0 }]);
    await failFrom('203.0.113.1', member, 5);
  });
});
