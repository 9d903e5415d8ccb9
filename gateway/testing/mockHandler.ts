import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MockGateway, openMockGateway } from './mockGateway';

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

/** Answers a call of the contract with the gateway itself. */
export const answerFromGateway: MockHandler = async (request, response) => {
  const { app } = await current;
  const { 'content-length': length, 'transfer-encoding': encoding, connection: _, ...headers } = request.headers;
  const hasBody = encoding !== undefined || Number(length ?? 0) > 0;
  const reply = await app.inject({
    method: request.method === 'POST' ? 'POST' : 'GET',
    url: request.originalUrl,
    headers,
    ...(hasBody ? { payload: JSON.stringify(request.body) } : {}),
  });
  response.statusCode = reply.statusCode;
  for (const [name, value] of Object.entries(reply.headers)) if (value !== undefined) response.setHeader(name, value);
  response.end(reply.rawPayload);
};
