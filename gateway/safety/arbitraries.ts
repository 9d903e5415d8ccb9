import fc from 'fast-check';

/** As much of a JSON schema as the published description uses. */
export interface Schema {
  type?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
}

/** Text that breaks programs: empty, unseen, half of a pair, right to left, a query, a path, a format, a prototype. */
const NASTY_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\udfff\ud800',
  '\u202egnp.exe',
  '\u200b\u2060\ufeff',
  'ﷺ'.repeat(20),
  'é'.normalize('NFD'),
  '👩‍👩‍👧‍👦'.repeat(9),
  "' or 1=1 --",
  "'; select pg_sleep(5); --",
  '../../etc/passwd',
  '%00%2e%2e%2f',
  '#{7*7}{{7*7}}<%= 7*7 %>',
  '$(touch x)`touch x`',
  '<script>alert(1)</script>',
  '=cmd|calc',
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '1e999',
  '2026-02-30T24:00:60Z',
  '-1',
  '9007199254740993',
  'x'.repeat(5_000),
];
const NASTY_NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  '\u0000',
  'memberId',
  'price',
  'isStudent',
  'levelFlag',
];
const NASTY_NUMBERS = [0, -0, -1, 0.1, 1e21, 1e308, 2 ** 31, 2 ** 53, -(2 ** 63), Number.MIN_VALUE];

const NIL = '00000000-0000-0000-0000-000000000000';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const nastyText = fc.oneof(fc.constantFrom(...NASTY_TEXTS), fc.string({ unit: 'binary', maxLength: 60 }));
const deep = fc.integer({ min: 15, max: 3_000 }).map((depth) => {
  let nested: unknown = 'deep';
  for (let level = 0; level < depth; level += 1) nested = level % 2 ? [nested] : { a: nested };
  return nested;
});
/** Anything JSON can say, and some it can hardly. */
const junk: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: nastyText },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], ...NASTY_NUMBERS) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: deep },
);

/** Mostly values the schema takes; words of `pool` stand where it takes text, so that ids and names mean something. */
export function fitting(schema: Schema, pool: readonly string[]): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => fitting(one, pool)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.type === 'object') {
    const fields = Object.entries(schema.properties ?? {}).map(([name, one]) => [name, fitting(one, pool)] as const);
    return fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] });
  }
  if (schema.type === 'array') {
    const { minItems: minLength = 0, maxItems = 4 } = schema;
    return fc.array(fitting(schema.items ?? {}, pool), { minLength, maxLength: Math.min(maxItems, minLength + 4) });
  }
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer' || schema.type === 'number') {
    const { minimum: min = -1_000, maximum: max = 1_000_000 } = schema;
    return fc.oneof(fc.integer({ min: Math.ceil(min), max: Math.floor(max) }), fc.constantFrom(min, max));
  }
  if (schema.type === 'null') return fc.constant(null);
  return schema.type === 'string' ? text(schema, pool) : junk;
}

function text(schema: Schema, pool: readonly string[]): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = 80, format, pattern } = schema;
  const known = fc.constantFrom('x', ...pool);
  if (format === 'uuid')
    return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(NIL, ...pool.filter((word) => UUID.test(word))) }, fc.uuid());
  if (format === 'date-time') return fc.date({ noInvalidDate: true, min: new Date(0) }).map((date) => date.toISOString());
  if (format === 'email') return fc.emailAddress();
  const free = fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 40) });
  return fc.oneof(known, pattern === undefined ? free : matching(pattern, free));
}

/** The generator knows neither Unicode classes nor looking around; of patterns with them only free text is tried. */
function matching(pattern: string, otherwise: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return /\\p\{|\(\?[=!<]/.test(pattern) ? otherwise : fc.stringMatching(new RegExp(pattern, 'u'));
}

/** The value with one thing in it changed for the worse, at any depth. */
function spoilt(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null) return junk;
  const names = Object.keys(value);
  const extra = fc.tuple(fc.constantFrom(...NASTY_NAMES), junk).map(([name, added]) => withOwn(value, name, added));
  if (names.length === 0) return fc.oneof(junk, extra);
  const inner = fc.constantFrom(...names).chain((name) => {
    const old: unknown = Reflect.get(value, name);
    return spoilt(old).map((worse) => withOwn(value, name, worse));
  });
  const without = fc
    .constantFrom(...names)
    .map((name) => Object.fromEntries(Object.entries(value).filter(([one]) => one !== name)));
  return fc.oneof({ weight: 5, arbitrary: inner }, { weight: 2, arbitrary: extra }, without, junk);
}

/** With an own field of that name, `__proto__` as well. */
function withOwn(value: object, name: string, added: unknown): object {
  const copy = Array.isArray(value) ? [...value] : { ...value };
  Object.defineProperty(copy, name, { value: added, enumerable: true, configurable: true, writable: true });
  return copy;
}

/** A request's body as it goes over the wire: what fits, what nearly fits, and what is no JSON of an object at all. */
export function bodies(schema: Schema | undefined, pool: readonly string[]): fc.Arbitrary<string> {
  const right = schema ? fitting(schema, pool) : fc.constant({});
  const written = (value: unknown) => JSON.stringify(value) ?? '';
  const wrong = right.chain(spoilt).map(written);
  const repeated = right.map(written).map((json) => json.replace(/\{("[^"]+":)/, '{$1null,$1'));
  const cut = fc.tuple(wrong, fc.nat(100)).map(([json, share]) => json.slice(0, Math.ceil((json.length * share) / 100)));
  return fc.oneof(
    { weight: 6, arbitrary: right.map(written) },
    { weight: 8, arbitrary: wrong },
    { weight: 1, arbitrary: junk.map(written) },
    { weight: 1, arbitrary: repeated },
    { weight: 1, arbitrary: cut },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', '{', '{}', '[]', '"', '1e999', '{"a":1}{"b":2}', '\ufeff{}', "{'a':1}", '{"a":undefined}'),
    },
  );
}

/** A query string, percent-encoded or not. */
export function queries(schema: Schema | undefined, pool: readonly string[]): fc.Arbitrary<string> {
  const right = schema ? fitting(schema, pool) : fc.constant({});
  const wrong = right.chain(spoilt);
  const twice = right.map((value) => `${written(value)}&${written(value)}`);
  return fc.oneof(
    { weight: 6, arbitrary: right.map(written) },
    { weight: 6, arbitrary: wrong.map(written) },
    { weight: 1, arbitrary: twice },
    {
      weight: 1,
      arbitrary: fc.constantFrom('a[b]=c', 'a[]=1', '&&==', '%', '%zz=1', '=%ff%fe', '__proto__[x]=1', 'a'.repeat(4_000)),
    },
  );
  function written(value: unknown): string {
    const pairs = Object.entries(Object(value)).map(
      ([name, one]) => `${encoded(name)}=${encoded(typeof one === 'string' ? one : JSON.stringify(one))}`,
    );
    // Longer ones do not fit into a request's first line.
    return pairs.join('&').slice(0, 6_000).replace(/%.?$/, '');
  }
}

function encoded(value = ''): string {
  // Half a pair has no encoding; these are the bytes a careless program would send.
  return Array.from(value, (char) =>
    /[\ud800-\udfff]/.test(char) && char.length === 1 ? '%ED%A0%80' : encodeURIComponent(char),
  ).join('');
}
