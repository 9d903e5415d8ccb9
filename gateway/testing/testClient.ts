import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { Calls } from '../contract/calls';
import type { Envelope } from '../contract/contract';

/** An answer as a test looks at it. `data` is what the contract says when the call succeeded. */
export interface TestReply<T = unknown> {
  status: number;
  envelope: Envelope<T>;
  /** The call's data; reading it from a refusal throws, with the refusal. */
  readonly data: T;
  headers: LightMyRequestResponse['headers'];
  cookies: LightMyRequestResponse['cookies'];
}

/** What may be sent: the contract's fields, or on purpose something else. */
export interface TestInput {
  query?: Record<string, string | number | boolean>;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface TestClient {
  /** Sends a call of the contract through the whole app. */
  send<K extends keyof Calls>(key: K, input?: TestInput): Promise<TestReply<Calls[K]['data']>>;
}

/** A client of the app that sends `headers` with everything, like a browser on the console's own page. */
export function createTestClient(app: FastifyInstance, headers: Record<string, string> = {}): TestClient {
  return {
    async send(key, { query = {}, body, headers: own = {} } = {}) {
      const [method, url] = key.split(' ') as ['GET' | 'POST', string];
      const response = await app.inject({
        method,
        url,
        query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
        headers: { 'sec-fetch-site': 'same-origin', 'accept-language': 'en-US', ...headers, ...own },
        ...(body === undefined ? {} : { payload: body as object }),
      });
      return replyOf(response);
    },
  };
}

/** A stream comes without an envelope: what it holds stands for the data of one. */
function envelopeOf<T>(response: LightMyRequestResponse): Envelope<T> {
  if (String(response.headers['content-type']).startsWith('application/json')) return response.json();
  return { success: response.statusCode === 200, code: 0, data: response.body as T, msg: '', traceId: '' };
}

function replyOf<T>(response: LightMyRequestResponse): TestReply<T> {
  const envelope = envelopeOf<T>(response);
  return {
    status: response.statusCode,
    envelope,
    get data() {
      if (!envelope.success || envelope.data === null) throw new Error(`The call was refused: ${response.body}`);
      return envelope.data;
    },
    headers: response.headers,
    cookies: response.cookies,
  };
}
