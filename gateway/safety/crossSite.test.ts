import { type Calls, calls } from '../contract/calls';
import type { CallContract, CallKey } from '../contract/contract';
import { cookieOf } from '../domains/workshop/terminalClient';
import { ACTING_GETS } from '../plugins/crossSite';
import { buildTestApp, type TestApp } from '../testing/buildTestApp';
import { readFingerprint } from '../testing/fingerprint';
import type { TestInput } from '../testing/testClient';
import { advance } from '../testing/testDatabase';
import { callRows } from './callRows';
import { createWorld, type World } from './world';

const JSON_TYPE = { 'content-type': 'application/json' };
const EVIL = 'https://evil.example';

/** What a browser led by somebody else's page can make of a call with the member's cookies. */
const shapes: Record<string, Record<string, string>> = {
  'a form of another site': { 'content-type': 'application/x-www-form-urlencoded', origin: EVIL, 'sec-fetch-site': 'cross-site' },
  'a form with files of another site': {
    'content-type': 'multipart/form-data; boundary=x',
    origin: EVIL,
    'sec-fetch-site': 'cross-site',
  },
  'a form of plain text': { 'content-type': 'text/plain', origin: EVIL, 'sec-fetch-site': 'cross-site' },
  'JSON of another site': { ...JSON_TYPE, origin: EVIL },
  'a sibling domain': { ...JSON_TYPE, origin: 'https://lab.atelier.example', 'sec-fetch-site': 'same-site' },
  'another site that claims our Origin': { ...JSON_TYPE, origin: 'http://127.0.0.1:8000', 'sec-fetch-site': 'cross-site' },
  'a sandboxed frame': { ...JSON_TYPE, origin: 'null' },
  'another port of this machine': { ...JSON_TYPE, origin: 'http://localhost:8001', host: '127.0.0.1:8000' },
  'a look-alike host': { ...JSON_TYPE, origin: 'http://127.0.0.1:8000.evil.example' },
  'a page known by its Referer': { ...JSON_TYPE, referer: `${EVIL}/127.0.0.1:8000/` },
  'a typed or bookmarked address': { ...JSON_TYPE, 'sec-fetch-site': 'none' },
  'nobody knows whom': JSON_TYPE,
};

const entries = Object.entries(calls) as [keyof Calls, CallContract][];
const acting = entries.map(([key]) => key).filter((key) => key.startsWith('POST ') || ACTING_GETS.has(key as CallKey));
const reading = entries.map(([key]) => key).filter((key) => !acting.includes(key));

describe('whoever leads a member’s browser from elsewhere', () => {
  let test: TestApp;
  let world: World;
  beforeAll(async () => {
    test = await buildTestApp();
    // What was seen a minute ago is no change.
    await advance(test.db, 0);
  });
  beforeEach(async () => {
    world = await createWorld(test);
  });
  afterAll(() => test.close());

  function send(key: string, { query = {}, body }: TestInput, headers: Record<string, string>) {
    const [method, url] = key.split(' ') as ['GET' | 'POST', string];
    const fields = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const payload = method === 'POST' ? { payload: JSON.stringify(body ?? {}) } : {};
    return test.app.inject({ method, url, query: fields, headers: { cookie: cookieOf(world.owner), ...headers }, ...payload });
  }

  it.each(acting)('gets nothing done by any of its ways, which the member’s own page then does: %s', async (key) => {
    const input = await callRows[key].input(world, world.owner);
    const before = await readFingerprint(test.pool);

    const refused = [];
    for (const [shape, headers] of Object.entries(shapes)) {
      const reply = await send(key, input, headers);
      const { success, code, data } = reply.json();
      refused.push([shape, reply.statusCode, success, code, data, reply.cookies]);
    }

    expect(refused).toEqual(Object.keys(shapes).map((shape) => [shape, 403, false, 20003, null, []]));
    expect(await readFingerprint(test.pool)).toEqual(before);
    expect((await test.as(world.owner).send(key, input)).envelope.success).toBe(true);
  });

  it.each(acting)('cannot have it done by another method: %s', async (key) => {
    const input = await callRows[key].input(world, world.owner);
    const before = await readFingerprint(test.pool);
    const [method, url] = key.split(' ');

    for (const other of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'POST'].filter((one) => one !== method)) {
      const reply = await test.app.inject({
        method: other as 'GET',
        url: url ?? '',
        query: Object.fromEntries(
          Object.entries({ ...input.query, ...Object(input.body) }).map(([name, value]) => [name, String(value)]),
        ),
        headers: { cookie: cookieOf(world.owner), 'sec-fetch-site': 'cross-site', 'x-http-method-override': method ?? '' },
      });
      expect([403, 404]).toContain(reply.statusCode);
    }

    expect(await readFingerprint(test.pool)).toEqual(before);
  });

  it.each(reading)('changes nothing by what only reads: %s', async (key) => {
    const input = await callRows[key].input(world, world.owner);
    const before = await readFingerprint(test.pool);

    const reply = await send(key, input, { 'sec-fetch-site': 'cross-site' });

    expect(reply.statusCode).toBe(200);
    expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
    expect(reply.headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(await readFingerprint(test.pool)).toEqual(before);
  });

  it('is told apart in every way at every call that acts', () => {
    expect(Object.keys(shapes).length).toBeGreaterThanOrEqual(8);
    expect(acting.length + reading.length).toBe(entries.length);
    for (const key of ACTING_GETS) expect(acting).toContain(key);
  });
});
