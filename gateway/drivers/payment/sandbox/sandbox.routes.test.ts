import { createHash } from 'node:crypto';
import { sandboxWords } from '../../../locales/sandboxWords';
import { openSandboxWorld, type SandboxWorld } from './sandboxWorld';

const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'en-US' };

describe('the cashier page', () => {
  let world: SandboxWorld;
  let path: string;
  let paymentId: string;
  beforeAll(async () => {
    world = await openSandboxWorld();
  });
  beforeEach(async () => {
    const created = await world.createTrade();
    path = created.path;
    ({ paymentId } = created.trade);
  });
  afterAll(() => world.close());

  const get = (url = path, language = 'en-US') => world.app.inject({ url, headers: { 'accept-language': language } });
  const statusOf = async () => (await world.sandbox.provider.query(paymentId)).status;
  const tokenOf = async () => /name="token" value="([\w-]{43})"/.exec((await get()).body)?.[1] ?? '';

  async function post(action: string, token?: string, url = path) {
    const payload = new URLSearchParams({ action, token: token ?? (await tokenOf()) }).toString();
    return world.app.inject({ method: 'POST', url, payload, headers: FORM });
  }

  it('runs nothing, loads nothing, is kept nowhere and shows what is paid for as words', async () => {
    const { statusCode, headers, body } = await get();

    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([200, 'text/html; charset=utf-8', 'no-store']);
    const style = /<style>([\s\S]*)<\/style>/.exec(body)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers['content-security-policy']).toBe(
      `default-src 'none';style-src 'sha256-${hash}';form-action 'self';base-uri 'none';frame-ancestors 'none'`,
    );
    expect(body).not.toMatch(/<script|\son\w+=|style=|src=|<link|<img/i);
    expect(body).toContain('&lt;DCU&gt; &amp; more');
    expect(body).toContain('¥123.45');
  });

  it('speaks the payer’s language, or the one that is asked for', async () => {
    const { 'en-US': english, 'zh-CN': chinese } = sandboxWords;

    expect((await get(path, 'zh-CN')).body).toContain(`<h1>${chinese.title}</h1>`);
    expect((await get(path, 'zh-CN')).body).toContain('算力');
    expect((await get(`${path}?lang=en-US`, 'zh-CN')).body).toContain(`<h1>${english.title}</h1>`);
    expect((await get(`${path}?lang=klingon`, 'en-US')).body).toContain('<html lang="en-US">');
  });

  it.each([
    ['approve', 'PAID'],
    ['slow', 'PAID'],
    ['duplicate', 'PAID'],
    ['double', 'PAID'],
    ['decline', 'FAILED'],
    ['late', 'WAITING'],
  ])('leads back to itself after %s, which is %s', async (action, status) => {
    const { statusCode, headers } = await post(action);

    expect([statusCode, headers.location]).toEqual([303, `${path}?lang=en-US`]);
    expect(await statusOf()).toBe(status);
    expect((await get()).body).not.toContain('value="approve"');
  });

  it('lets a paid payment’s refunds be refused, delayed and accepted again', async () => {
    await post('approve');
    for (const mode of ['refuse', 'later', 'accept']) {
      expect((await post(mode)).statusCode).toBe(303);
      expect((await get()).body).not.toContain(`value="${mode}"`);
    }
  });

  it.each([
    ['a form from elsewhere', () => post('approve', 'A'.repeat(43))],
    ['a form without its token', () => post('approve', '')],
    ['a choice there is not', () => post('rob')],
    ['a choice that is not open yet', () => post('refuse')],
  ])('does nothing for %s', async (_words, send) => {
    expect((await send()).statusCode).toBe(409);

    expect(await statusOf()).toBe('WAITING');
  });

  it('pays once for two who press at the same time', async () => {
    const token = await tokenOf();

    const answers = await Promise.all([post('approve', token), post('approve', token), post('approve', token)]);

    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 409, 409]);
  });

  it('takes late money alone once the time to pay is over', async () => {
    await world.passMs(30 * 60_000);

    const { body } = await get();

    expect(body).toContain('value="late"');
    expect(body).not.toContain('value="approve"');
  });

  it.each([`/sandbox/cashier/${'A'.repeat(43)}`, '/sandbox/cashier/1', '/sandbox/cashier/%3Cscript%3E'])(
    'says that there is no payment at %s',
    async (url) => {
      const { statusCode, body } = await get(url);

      expect([statusCode, body.includes(sandboxWords['en-US'].goneTitle), body.includes('<script')]).toEqual([404, true, false]);
    },
  );

  it('takes nothing but its own small form', async () => {
    const headers = { 'content-type': 'application/json' };
    expect((await world.app.inject({ method: 'POST', url: path, payload: '{}', headers })).statusCode).toBe(415);
    expect((await post('x'.repeat(3_000))).statusCode).toBe(413);
    expect((await post('approve', 'A'.repeat(43), `/sandbox/cashier/${'A'.repeat(43)}`)).statusCode).toBe(404);
  });
});
