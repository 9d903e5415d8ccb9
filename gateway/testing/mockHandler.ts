import { IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { MockGateway, openMockGateway } from './mockGateway';
import { mockEffect, mockSwitches, setMockSwitches } from './mockSwitches';

/** A request as Umi's mock server hands it over: its body is already read. */
type ParsedRequest = IncomingMessage & { originalUrl: string; body?: unknown };
export type MockHandler = (request: ParsedRequest, response: ServerResponse) => Promise<void>;

/** Umi loads this file anew at every edit of a mock file; the gateway of the load before stands here, to be closed. */
const KEY = Symbol.for('atelier.mock');
const previous: Promise<MockGateway | null> = Reflect.get(globalThis, KEY) ?? Promise.resolve(null);
const current = previous.catch(() => null).then(loadGateway);
Reflect.set(globalThis, KEY, current);
// Each answer gives the reason; nobody asking is no reason to end the development server.
current.catch(() => undefined);

/** The bundle `npm run mock` keeps fresh: Umi compiles mock files for a target without bigint, which the gateway counts in. */
function loadGateway(old: MockGateway | null): Promise<MockGateway> {
  const bundle = process.env.MOCK_GATEWAY_BUNDLE;
  if (!bundle) throw new Error('Mock mode needs its gateway and database: start it with npm run mock.');
  delete require.cache[bundle];
  const loaded: { openMockGateway: typeof openMockGateway } = require(bundle);
  return loaded.openMockGateway(old);
}

/** A failure of mock mode itself is told with its reason; unheard, it would end the development server. */
function answering(handler: MockHandler): MockHandler {
  return (request, response) =>
    handler(request, response).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { success: false, code: -1, data: null, msg: reason, traceId: '' });
    });
}

/** Answers a call of the contract with the gateway itself, as late or as broken as the panel's switches say. */
export const answerFromGateway = answering(async (request, response) => {
  const { answer, delayMs } = mockEffect(request.originalUrl);
  if (delayMs > 0) await wait(delayMs);
  if (answer === 'cut') {
    response.destroy();
    return;
  }
  await passOn(request.method === 'POST' ? 'POST' : 'GET', request.originalUrl, request, response);
});

/** Tells the panel which members there are and what is switched. */
export const showMock = answering(async (_request, response) => {
  const { members } = await current;
  sendJson(response, 200, { members, switches: mockSwitches() });
});

/** Changes what the switches of the panel do to later answers. */
export const changeSwitches = answering(async (request, response) => {
  const isFit = setMockSwitches(request.body);
  sendJson(response, isFit ? 200 : 400, mockSwitches());
});

/** Signs one of the seeded members in, or out with an empty name, whatever is switched. */
export const becomeMember = answering(async (request, response) => {
  const { username } = (request.body ?? {}) as { username?: unknown };
  if (username === '') {
    await passOn('POST', '/gateway/user/logout', { ...request, headers: request.headers, body: undefined }, response, true);
    return;
  }
  const { signInBody } = await current;
  const body = signInBody(String(username));
  if (body === null) sendJson(response, 404, {});
  else await passOn('POST', '/gateway/user/login', { headers: request.headers, body }, response, true);
});

async function passOn(
  method: 'GET' | 'POST',
  url: string,
  request: Pick<ParsedRequest, 'headers' | 'body'>,
  response: ServerResponse,
  isPanel = false,
): Promise<void> {
  const { app } = await current;
  const { 'content-length': length, 'transfer-encoding': encoding, connection: _, ...headers } = request.headers;
  const hasBody = isPanel ? request.body !== undefined : encoding !== undefined || Number(length ?? 0) > 0;
  const reply = await app.inject({
    method,
    url,
    headers: isPanel ? { ...headers, 'x-mock-panel': '1' } : headers,
    ...payloadOf(request, hasBody, length),
  });
  response.statusCode = reply.statusCode;
  for (const [name, value] of Object.entries(reply.headers)) if (value !== undefined) response.setHeader(name, value);
  response.end(reply.rawPayload);
}

/** What Umi reads is JSON alone: the bytes of an upload are still to come. */
function payloadOf(request: object, hasBody: boolean, length: string | undefined) {
  if (!hasBody) return {};
  const isUpload = request instanceof IncomingMessage && request.headers['content-type'] === 'application/octet-stream';
  if (!isUpload) return { payload: JSON.stringify(Reflect.get(request, 'body')) };
  return { payload: request, headers: { ...request.headers, 'content-length': length } };
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(JSON.stringify(body));
}
