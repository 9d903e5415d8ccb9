import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { buildTestApp, type TestApp } from '../testing/buildTestApp';
import type { TestMember } from '../testing/factories';
import { calls } from './calls';
import type { CallContract, Envelope } from './contract';
import type { InvalidField } from './errors';

/** As much of a JSON schema as the contract's inputs use. */
interface Schema {
  type?: string;
  format?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  minProperties?: number;
  minimum?: number;
  default?: unknown;
}

const ajv = addFormats(new Ajv({ strict: false }));
const A_UUID = '0190163d-8c5e-7b1a-9f00-5f1d2c3b4a59';
/** One of these fits every string of the contract; a string that needs another adds it here. */
const FITTING = [
  A_UUID,
  '2026-01-01T00:00:00.000Z',
  'Learner-7x9q',
  '13912345678',
  '123456',
  'learner@example.com',
  '/main/myLab',
  'TypeError',
  'umi.js',
  '2026-01-01',
];

const NUL = ['\u0000', 'a\u0000b'];
/** A URL cannot carry these. */
const HALF_PAIRS = ['\ud800', 'a\udc00b'];
const BAD_IDS = [`urn:uuid:${A_UUID}`, `{${A_UUID}}`, `${A_UUID}0`, `${A_UUID}\n`, A_UUID.replaceAll('-', ''), ''];
const BAD_INSTANTS = [
  '2016-12-31T23:59:60Z',
  '2016-12-31T18:59:60-05:00',
  '2020-01-01T00:00:00+01',
  '2020-01-01T00:00:00+01:00',
  '2020-01-01T24:00:00Z',
  '2021-02-30T00:00:00Z',
  '0000-00-00T00:00:00Z',
  '2020-01-01 00:00:00Z',
  '2020-01-01',
];

/** A value the schema takes; of objects only as much as is required. */
function sampleOf(schema: Schema): unknown {
  if (schema.anyOf) return sampleOf(schema.anyOf[0] ?? {});
  if (schema.enum) return schema.enum[0];
  if (schema.type === 'object') {
    const required = schema.required ?? [];
    const others = Object.keys(schema.properties ?? {}).filter((name) => !required.includes(name));
    const names = [...required, ...others.slice(0, Math.max(0, (schema.minProperties ?? 0) - required.length))];
    return Object.fromEntries(names.map((name) => [name, sampleOf(schema.properties?.[name] ?? {})]));
  }
  if (schema.type === 'array') return [sampleOf(schema.items ?? {})];
  if (schema.type === 'boolean') return true;
  if (schema.type !== 'string') return schema.default ?? schema.minimum ?? 1;
  const fitting = FITTING.find((text) => ajv.validate(schema, text));
  if (fitting === undefined) throw new Error(`no sample fits ${JSON.stringify(schema)}`);
  return fitting;
}

interface Place {
  path: string[];
  schema: Schema;
}

/** Every string the schema can take, whatever its depth. */
function placesOf(schema: Schema, path: string[] = []): Place[] {
  if (schema.type === 'string') return [{ path, schema }];
  return [
    ...(schema.anyOf ?? []).flatMap((one) => placesOf(one, path)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => placesOf(one, [...path, name])),
    ...(schema.items ? placesOf(schema.items, [...path, '0']) : []),
  ];
}

/** `input` with `value` at the path, whose containers are made where a sample left them out. */
function withValue(input: unknown, schema: Schema, [name, ...rest]: string[], value: string): unknown {
  if (name === undefined) return value;
  const inner = schema.anyOf?.find((one) => one.properties ?? one.items) ?? schema;
  const below = inner.items ?? inner.properties?.[name] ?? {};
  if (inner.items) return [withValue(sampleOf(below), below, rest, value)];
  const own = Object(input ?? sampleOf(inner));
  return { ...own, [name]: withValue(own[name], below, rest, value) };
}

function badValuesOf({ schema }: Place, part: 'query' | 'body'): string[] {
  const shaped = schema.format === 'uuid' ? BAD_IDS : schema.format === 'date-time' ? BAD_INSTANTS : [];
  return [...NUL, ...(part === 'body' ? HALF_PAIRS : []), ...shaped];
}

const places = (Object.entries(calls) as [string, CallContract][]).flatMap(([key, call]) =>
  (['query', 'body'] as const).flatMap((part) => {
    const schema = call[part] as Schema | undefined;
    if (!schema) return [];
    return placesOf(schema).map((place) => ({ key, part, schema, place, field: [part, ...place.path].join('.') }));
  }),
);

describe('text that fits nowhere', () => {
  let test: TestApp;
  let member: TestMember;
  beforeAll(async () => {
    test = await buildTestApp();
    member = await test.buildMember();
  });
  afterAll(() => test.close());

  it.each(places)('is refused by $key, naming $field', async ({ key, part, schema, place, field }) => {
    for (const value of badValuesOf(place, part)) {
      const input = withValue(sampleOf(schema), schema, place.path, value) as Record<string, string>;
      const reply = await test.as(member).send(key as keyof typeof calls, { [part]: input });

      expect({ value, status: reply.status, envelope: reply.envelope }).toMatchObject({ status: 400, envelope: { code: 20001 } });
      const { fields } = (reply.envelope as Envelope<{ fields: InvalidField[] }>).data ?? { fields: [] };
      expect(fields.map((one) => one.field)).toContain(field);
    }
  });

  it('is looked for in every call that takes text', () => {
    expect(places.length).toBeGreaterThan(30);
    expect(new Set(places.map(({ schema }) => schema)).size).toBeGreaterThan(10);
  });
});

describe('a field no contract has', () => {
  let test: TestApp;
  let member: TestMember;
  beforeAll(async () => {
    test = await buildTestApp();
    member = await test.buildMember();
  });
  afterAll(() => test.close());

  it.each(Object.keys(calls) as (keyof typeof calls)[])('is refused in the query of %s', async (key) => {
    const body = (calls[key] as CallContract).body;
    const reply = await test.as(member).send(key, { query: { price: 0 }, ...(body ? { body: sampleOf(body) } : {}) });

    expect(reply).toFailWith('INVALID_INPUT');
    expect(reply.envelope.data).toMatchObject({
      fields: expect.arrayContaining([expect.objectContaining({ field: 'query.price' })]),
    });
  });
});
