import type { Envelope } from '../../gateway/contract/contract';

/** One call as a page made it. */
export interface MadeCall {
  key: string;
  url: URL;
  headers: Record<string, string>;
  body: unknown;
  credentials: RequestCredentials | undefined;
}

export interface Answer {
  status?: number;
  /** An envelope, or any text for what is not the gateway. */
  body: unknown;
}

type Answering = (call: MadeCall) => Answer | Promise<Answer>;

/** Puts a gateway of a few lines behind `fetch`; answers the list of calls, which grows as they are made. */
export function answerCalls(answer: Answering | Readonly<Record<string, Answer | Answering>>): MadeCall[] {
  const made: MadeCall[] = [];
  setFetch(async (input, init = {}) => {
    const url = new URL(String(input), window.location.origin);
    const call: MadeCall = {
      key: `${init.method ?? 'GET'} ${url.pathname}`,
      url,
      headers: { ...(init.headers as Record<string, string>) },
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      credentials: init.credentials,
    };
    made.push(call);
    if (typeof answer === 'function') return response(await answer(call));
    const known = answer[call.key] ?? refusal(20004, `no answer for ${call.key}`, { status: 404 });
    return response(typeof known === 'function' ? await known(call) : known);
  });
  return made;
}

/** The network is down. */
export function noGateway(): void {
  setFetch(async () => {
    throw new TypeError('Failed to fetch');
  });
}

export function success(data: unknown): Answer {
  const body: Partial<Envelope> = { success: true, code: 0, data, msg: '', traceId: 'trace' };
  return { body };
}

export function refusal(code: number, msg: string, { status = 200, data = null as unknown } = {}): Answer {
  return { status, body: { success: false, code, data, msg, traceId: 'trace' } };
}

function setFetch(fetch: typeof window.fetch): void {
  window.fetch = fetch;
  globalThis.fetch = fetch;
}

/** As much of a `Response` as the request layer reads: jsdom has none. */
function response({ status = 200, body }: Answer): Response {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const reply: object = {
    status,
    ok: status < 300,
    headers: { get: () => 'application/json' },
    text: async () => text,
    json: async () => JSON.parse(text),
    clone: () => reply,
  };
  return reply as Partial<Response> as Response;
}
