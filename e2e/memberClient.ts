import type { Calls } from '../gateway/contract/calls';
import type { Envelope } from '../gateway/contract/contract';
import type { Secrets } from './secrets';

/** What a member's browser sends, without the browser: cookies kept, same-origin headers, the envelope opened. */
export class MemberClient {
  private readonly cookies = new Map<string, string>();

  constructor(
    readonly origin: string,
    readonly readCode: (mobile: string) => Promise<string>,
    private readonly secrets: Secrets,
  ) {}

  /** The whole answer, refused or not. */
  async send<K extends keyof Calls>(
    key: K,
    input: { query?: Record<string, string>; body?: Calls[K]['body'] } = {},
    headers: Record<string, string> = {},
  ): Promise<{ status: number; envelope: Envelope<Calls[K]['data']> }> {
    const [method, path] = key.split(' ') as [string, string];
    const search = input.query ? `?${new URLSearchParams(input.query)}` : '';
    const response = await fetch(`${this.origin}${path}${search}`, {
      method,
      headers: {
        ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
        origin: this.origin,
        'sec-fetch-site': 'same-origin',
        'accept-language': 'en-US',
        cookie: this.cookieHeader(),
        ...headers,
      },
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    });
    this.keepCookies(response);
    const envelope = (await response.json()) as Envelope<Calls[K]['data']>;
    for (const part of [input.query, input.body, envelope.data]) this.secrets.addFields(part);
    return { status: response.status, envelope };
  }

  /** The data of a call that must succeed. */
  async call<K extends keyof Calls>(
    key: K,
    input: { query?: Record<string, string>; body?: Calls[K]['body'] } = {},
  ): Promise<Calls[K]['data']> {
    const { envelope } = await this.send(key, input);
    if (!envelope.success || envelope.data === null) throw new Error(`${key} was refused: ${envelope.code} ${envelope.msg}`);
    return envelope.data;
  }

  /** Registers with the code from the outbox and stays signed in. */
  async register(username: string, mobile: string): Promise<void> {
    await this.call('GET /gateway/user/sendVerificationCode', { query: { mobile, scene: 'register' } });
    const captcha = await this.readCode(mobile);
    const password = 'bench lamp shelf 42';
    await this.call('POST /gateway/user/register', { body: { username, password, confirm: password, mobile, captcha } });
  }

  /** Goes on as the member who is signed in to a browser. */
  takeCookies(cookies: readonly { name: string; value: string }[]): void {
    for (const { name, value } of cookies) this.cookies.set(name, value);
  }

  cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  private keepCookies(response: Response): void {
    this.secrets.addCookies(response.headers.getSetCookie());
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}
