import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { captchaScenes } from '../../contract/user';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import { advance } from '../../testing/testDatabase';
import { codeFor, newMobile, textsTo, wrong } from './userWorld';

const CALL = 'GET /gateway/user/sendVerificationCode';
const MINUTE_MS = 60_000;

describe('sendVerificationCode', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp();
  });
  afterAll(() => test.close());

  const ask = (query: Record<string, string>, headers = {}) => test.as(null).send(CALL, { query, headers });

  it('sends one text with a six-digit code in the language of whoever asks', async () => {
    const [chinese, english] = [newMobile(), newMobile()];

    const reply = await ask({ mobile: chinese.slice(3), scene: 'login' }, { 'accept-language': 'zh-CN' });
    await ask({ mobile: english, scene: 'login' });

    expect(reply.data).toEqual({ cooldownSeconds: 60 });
    const [text, ...more] = await textsTo(test, chinese);
    expect(more).toEqual([]);
    expect(text).toMatchObject({ channel: 'sms', to: chinese, scene: 'login', code: expect.stringMatching(/^\d{6}$/) });
    expect(text?.text).toContain(`您正在登录，验证码 ${text?.code}`);
    expect((await textsTo(test, english))[0]?.text).toContain('is your code to sign in');
  });

  it('stores no code in the clear', async () => {
    const mobile = newMobile();
    const code = await codeFor(test, mobile, 'login');

    const { rows } = await test.pool.query('select row_to_json(c)::text as row from verification_code c where mobile = $1', [
      mobile,
    ]);

    expect(rows).toHaveLength(1);
    expect(rows[0].row).not.toContain(`"${code}"`);
  });

  it.each(captchaScenes.filter((scene) => scene !== 'closeAccount' && scene !== 'changeMobile'))(
    'answers alike for known and unknown numbers in scene %s, and sends one text to either',
    async (scene) => {
      const { mobile: known } = await test.buildMember();
      const unknown = newMobile();

      const replies = [await ask({ mobile: known, scene }), await ask({ mobile: unknown, scene })];

      const [first, second] = replies.map(({ status, envelope: { traceId: _, ...body } }) => ({ status, body }));
      expect(first).toEqual(second);
      expect([(await textsTo(test, known)).length, (await textsTo(test, unknown)).length]).toEqual([1, 1]);
    },
  );

  it('tells a number without an account so by text when its password should be reset, and gives it no code', async () => {
    const mobile = newMobile();
    await ask({ mobile, scene: 'reset' });

    expect(await textsTo(test, mobile)).toMatchObject([{ code: null, text: expect.stringContaining('has no account') }]);
  });

  it('refuses the next code within a minute, by name and with the wait, and counts it for nothing', async () => {
    const mobile = newMobile();
    await ask({ mobile, scene: 'login' });

    const reply = await ask({ mobile, scene: 'register' });

    expect(reply).toFailWith('CAPTCHA_TOO_SOON');
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(50);
    expect(reply.envelope.msg).toMatch(/try again in \d+ seconds/);
    expect(await textsTo(test, mobile)).toHaveLength(1);
  });

  it.each([
    ['query.mobile', { mobile: '12345678901', scene: 'login' }],
    ['query.mobile', { mobile: 'nobody', scene: 'login' }],
    ['query.mobile', { scene: 'login' }],
    ['query.scene', { mobile: '13800138000', scene: 'steal' }],
    ['query.price', { mobile: '13800138000', scene: 'login', price: '1' }],
  ])('names %s when it does not fit (%#)', async (field, query) => {
    const reply = await ask(query as Record<string, string>);

    expect(reply).toFailWith('INVALID_INPUT');
    expect(reply.envelope.data).toMatchObject({ fields: [expect.objectContaining({ field })] });
  });

  it.each(['changeMobile', 'closeAccount'])('sends a code for %s to nobody who is not signed in', async (scene) => {
    const mobile = newMobile();

    expect(await ask({ mobile, scene })).toFailWith('UNAUTHORIZED');
    expect(await textsTo(test, mobile)).toEqual([]);
  });

  it('sends a code to close an account to its own number only', async () => {
    const [owner, other] = [await test.buildMember(), await test.buildMember()];
    const close = (mobile: string) => test.as(owner).send(CALL, { query: { mobile, scene: 'closeAccount' } });

    expect(await close(other.mobile)).toFailWith('INVALID_INPUT');
    expect((await close(owner.mobile)).envelope.success).toBe(true);
    expect([await textsTo(test, other.mobile), (await textsTo(test, owner.mobile)).length]).toEqual([[], 1]);
  });

  it.each([
    ['an image on another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling domain', { 'sec-fetch-site': 'same-site' }],
    ['another site in an old browser', { referer: 'https://evil.example/' }],
    ['a browser that hides where it is', { cookie: 'theme=dark' }],
  ])('sends nothing for %s', async (_who, headers) => {
    const mobile = newMobile();

    const response = await test.app.inject({
      url: '/gateway/user/sendVerificationCode',
      query: { mobile, scene: 'login' },
      headers,
    });

    expect([response.statusCode, response.json().code]).toEqual([403, 20003]);
    expect(await textsTo(test, mobile)).toEqual([]);
  });

  it('counts a code that could not be sent against nobody, and says that trying again is safe', async () => {
    const mobile = newMobile();
    const outbox = join(test.config.dataDir, 'outbox');
    await rm(outbox, { recursive: true });
    await writeFile(outbox, 'in the way');

    const reply = await ask({ mobile, scene: 'login' });
    await rm(outbox);
    await mkdir(outbox);

    expect(reply).toFailWith('UNAVAILABLE');
    expect((await ask({ mobile, scene: 'login' })).data).toEqual({ cooldownSeconds: 60 });
  });
});

describe('the limits on codes', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await buildTestApp({ config: { trustedProxies: ['127.0.0.1'] } });
    await advance(test.db, 0);
  });
  afterEach(() => test.close());

  const ask = (mobile: string, headers = {}) => test.as(null).send(CALL, { query: { mobile, scene: 'login' }, headers });

  it('send one of many parallel requests for a number', async () => {
    const mobile = newMobile();

    const replies = await Promise.all(Array.from({ length: 20 }, () => ask(mobile)));

    expect(replies.filter((reply) => reply.envelope.success)).toHaveLength(1);
    expect(await textsTo(test, mobile)).toHaveLength(1);
  });

  it('let five an hour and ten a day to a number', async () => {
    const mobile = newMobile();
    const sentAtMinute: number[] = [];

    for (let minute = 0; minute <= 24 * 60; minute += 10) {
      if ((await ask(mobile)).envelope.success) sentAtMinute.push(minute);
      await advance(test.db, 10 * MINUTE_MS);
    }

    expect(sentAtMinute).toEqual([0, 10, 20, 30, 40, 60, 70, 80, 90, 100, 1440]);
  });

  it('let ten an hour from an address, over all numbers and both halves of its IPv6 network', async () => {
    const from = (ip: string) => ask(newMobile(), { 'x-forwarded-for': ip });
    for (let sent = 0; sent < 10; sent += 1) expect((await from(`2001:db8:1:2::${sent}`)).envelope.success).toBe(true);

    expect(await from('2001:db8:1:2:ffff::1')).toFailWith('CAPTCHA_TOO_SOON');

    expect((await from('2001:db8:1:3::1')).envelope.success).toBe(true);
    await advance(test.db, 60 * MINUTE_MS);
    expect((await from('2001:db8:1:2::1')).envelope.success).toBe(true);
  });

  it('end a code with five minutes and with the next one, and leave it good after four wrong tries', async () => {
    const member = await test.buildMember();
    const login = (captcha: string) =>
      test.as(null).send('POST /gateway/user/login', { body: { type: 'mobile', mobile: member.mobile, captcha } });

    const expired = await codeFor(test, member.mobile, 'login');
    await advance(test.db, 5 * MINUTE_MS);
    expect(await login(expired)).toFailWith('INVALID_CAPTCHA');

    const replaced = await codeFor(test, member.mobile, 'login');
    await advance(test.db, MINUTE_MS);
    const latest = await codeFor(test, member.mobile, 'login');
    if (replaced !== latest) expect(await login(replaced)).toFailWith('INVALID_CAPTCHA');

    for (let tries = replaced === latest ? 0 : 1; tries < 4; tries += 1) {
      expect(await login(wrong(latest))).toFailWith('INVALID_CAPTCHA');
    }
    expect((await login(latest)).data.user.userId).toBe(member.memberId);
  });
});

describe('the limits on codes over two gateways', () => {
  it('are one limit, and so is the day’s budget', async () => {
    const first = await buildTestApp({ config: { smsDailyBudget: 3 } });
    const second = await buildTestApp({ config: { smsDailyBudget: 3 }, url: first.url });
    const ask = (app: TestApp, mobile: string) => app.as(null).send(CALL, { query: { mobile, scene: 'login' } });
    const mobile = newMobile();

    expect((await ask(first, mobile)).envelope.success).toBe(true);
    expect(await ask(second, mobile)).toFailWith('CAPTCHA_TOO_SOON');

    const replies = await Promise.all(Array.from({ length: 20 }, (_, index) => ask(index % 2 ? first : second, newMobile())));
    expect(replies.filter((reply) => reply.envelope.success)).toHaveLength(2);
    expect(replies.find((reply) => !reply.envelope.success)).toFailWith('UNAVAILABLE');
    await second.close();
    await first.close();
  });
});
