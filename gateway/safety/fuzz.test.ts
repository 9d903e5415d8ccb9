import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { type Calls, calls } from '../contract/calls';
import type { CallContract, Envelope } from '../contract/contract';
import { COMMON_ERRORS, type ErrorName, errors } from '../contract/errors';
import { inTransaction } from '../db/client';
import { brokenInvariants, pass } from '../domains/workshop/testbed';
import { buildTestApp, type TestApp } from '../testing/buildTestApp';
import { TEST_PASSWORD, type TestMember } from '../testing/factories';
import { readFingerprint } from '../testing/fingerprint';
import { advance } from '../testing/testDatabase';
import { bodies, queries, type Schema } from './arbitraries';
import { createWorld, type World } from './world';

const RUNS = Number(process.env.TEST_RUNS ?? (process.env.ATELIER_DEEP === '1' ? 2_000 : 20));
const SEED = Number(process.env.TEST_SEED ?? Math.trunc(Math.random() * 2 ** 31));
const SLOW_MS = 2_000;
const LIMIT_MS = Math.max(30_000, RUNS * 500);

interface Operation {
  parameters?: { name: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content: Record<string, { schema: object }> }>;
}

const keys = Object.keys(calls) as (keyof Calls)[];
const REFUSAL = {
  type: 'object',
  required: ['success', 'code', 'data', 'msg', 'traceId'],
  additionalProperties: false,
  properties: {
    success: { const: false },
    code: { type: 'integer' },
    data: { type: ['object', 'null'] },
    // No placeholder left unfilled; a brace of its own may stand in a name that was sent.
    msg: { type: 'string', minLength: 1, pattern: '^(?![^]*\\{[a-z][A-Za-z]+\\})' },
    traceId: { type: 'string', format: 'uuid' },
  },
} as const;

describe(`every call, asked anything at all (TEST_SEED=${SEED})`, () => {
  let test: TestApp;
  let world: World;
  let operations: Record<string, Record<string, Operation>>;
  const ajv = addFormats(new Ajv2020({ strict: false, validateSchema: false }));
  /** What the owner's things are called, and what the catalogue has. */
  let pool: string[];
  const unhandled: unknown[] = [];
  /** How often each answer was given, by the error's name. */
  const outcomes: Record<string, number> = {};
  const note = (error: unknown) => unhandled.push(error);

  beforeAll(async () => {
    process.on('unhandledRejection', note).on('uncaughtException', note);
    test = await buildTestApp();
    world = await createWorld(test);
    await advance(test.db, 0);
    operations = (await test.app.inject('/gateway/openapi.json')).json().paths;
    const { owner } = world;
    pool = [
      await world.make('stoppedWorkshop', owner),
      await world.make('runningWorkshop', owner),
      ...[owner.memberId, owner.loginSessionId, owner.username, owner.mobile],
      ...['cpu-half', 'cpu-1', 'shell'],
    ];
  });
  afterAll(async () => {
    process.off('unhandledRejection', note).off('uncaughtException', note);
    await test.close();
  });

  function requestsTo(key: keyof Calls, words: readonly string[]): fc.Arbitrary<Request> {
    const [method = '', path = ''] = key.split(' ');
    const { parameters = [], requestBody } = operations[path]?.[method.toLowerCase()] ?? {};
    const query: Schema = { type: 'object', properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])) };
    return fc.record({
      method: fc.constant(method as 'GET' | 'POST'),
      url: queries(query, words).map((text) => (text === '' ? path : `${path}?${text}`)),
      payload: method === 'GET' ? fc.constant('') : bodies(requestBody?.content['application/json']?.schema, words),
      idempotencyKey: fc.oneof(
        { weight: 2, arbitrary: fc.constant('') },
        fc.constantFrom('x', 'the-same-key', 'k'.repeat(129), 'a\u00ffb-long-enough'),
      ),
    });
  }

  async function ask(request: Request, cookie: string) {
    const { method, url, payload, idempotencyKey } = request;
    const startedAt = performance.now();
    const reply = await test.app.inject({
      method,
      url,
      headers: {
        ...{ 'sec-fetch-site': 'same-origin', 'accept-language': 'en-US', cookie },
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
        ...(idempotencyKey === '' ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(method === 'POST' ? { payload } : {}),
    });
    return { reply, ms: performance.now() - startedAt };
  }

  /** What is wrong with the answer; null when nothing is. */
  function faultOf(
    key: keyof Calls,
    { statusCode: status, headers, body }: Awaited<ReturnType<typeof ask>>['reply'],
  ): string | null {
    const [method = '', path = ''] = key.split(' ');
    const { stream }: CallContract = calls[key];
    if (stream !== undefined && headers['content-type'] === stream) {
      outcomes.OK = (outcomes.OK ?? 0) + 1;
      return status === 200 ? null : `${status} with a stream`;
    }
    const answer: Envelope = JSON.parse(body);
    const [name, error] = answer.success ? ['OK'] : (Object.entries(errors).find(([, { code }]) => code === answer.code) ?? []);
    outcomes[`${name}`] = (outcomes[`${name}`] ?? 0) + 1;
    if (answer.success) {
      const schema = operations[path]?.[method.toLowerCase()]?.responses['200']?.content['application/json']?.schema ?? false;
      return status === 200 && ajv.validate(schema, answer) ? null : `${status} unfit: ${ajv.errorsText()} ${body}`;
    }
    if (!ajv.validate(REFUSAL, answer)) return `no envelope: ${ajv.errorsText()} ${body}`;
    if (!error || error.status !== status) return `${status} with code ${answer.code}`;
    const { errors: own }: CallContract = calls[key];
    const isContracted = own.includes(name as ErrorName);
    const isCommon = COMMON_ERRORS.some((one) => one === name);
    return isContracted || (isCommon && status < 500) ? null : `${name}, which the contract does not list: ${body}`;
  }

  /** Of a session of its own for every call, because some of them end it. */
  async function signIn({ memberId }: TestMember): Promise<string> {
    const made = { memberId, isKept: false, replaced: null, ip: '127.0.0.1', userAgent: 'test' };
    const { id, secret } = await inTransaction(test.db, (tx) => test.services.loginSessions.createSession(tx, made));
    return `sessionId=${id}; atelier=${secret}`;
  }

  describe.each<[string, () => Promise<string>]>([
    ['a visitor', async () => ''],
    ['a member', () => signIn(world.owner)],
    ['a member with another’s ids', () => signIn(world.stranger)],
  ])('by %s', (who, getCookie) => {
    it.each(keys)(
      'answers within its contract, soon, and stays up: %s',
      async (key) => {
        const cookie = await getCookie();
        const before = await readFingerprint(test.pool, world.owner.memberId);
        // Whoever knows the owner's name and password signs in as the owner, which changes the owner's rows and is no fault.
        const words = who === 'a member' ? [...pool, TEST_PASSWORD] : pool;

        await fc.assert(
          fc.asyncProperty(requestsTo(key, words), async (request) => {
            const { reply, ms } = await ask(request, cookie);
            const fault = faultOf(key, reply);
            if (fault !== null) throw new Error(fault);
            // Once more, because the machine may have been busy with something else.
            if (ms > SLOW_MS && (await ask(request, cookie)).ms > SLOW_MS) throw new Error(`took ${ms} ms`);
          }),
          { numRuns: RUNS, seed: SEED + keys.indexOf(key), endOnFailure: RUNS > 100 },
        );

        expect(unhandled).toEqual([]);
        if (who !== 'a member') expect(await readFingerprint(test.pool, world.owner.memberId)).toEqual(before);
      },
      LIMIT_MS,
    );
  });

  it('is mostly understood: many requests get beyond their form', () => {
    const { OK = 0, INVALID_INPUT = 0, UNAUTHORIZED = 0, ...others } = outcomes;
    const sum = Object.values(outcomes).reduce((total, count) => total + count, 0);

    expect(OK).toBeGreaterThan(sum / 20);
    expect(INVALID_INPUT).toBeGreaterThan(sum / 20);
    // A third of them come from visitors, most of whose calls are for members.
    expect(UNAUTHORIZED).toBeLessThan(sum / 2);
    expect(Object.keys(others).length).toBeGreaterThan(3);
  });

  it('leaves books that add up and labs that can be driven on', async () => {
    await pass(test, 3);

    expect(await brokenInvariants(test)).toEqual([]);
    expect((await test.app.inject('/healthz')).statusCode).toBe(200);
    expect((await test.app.inject('/readyz')).statusCode).toBe(200);
  });
});

interface Request {
  method: 'GET' | 'POST';
  url: string;
  payload: string;
  idempotencyKey: string;
}
