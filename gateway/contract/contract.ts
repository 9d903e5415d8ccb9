import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox';
import type { ErrorName } from './errors';

/** Who may make a call: anyone, or only a member with a valid login session (else 401 with 10004). */
export type CallAccess = 'visitor' | 'member';

/** A path of the wire: method, a space, the full path under the gateway prefix. */
export type CallKey = `${'GET' | 'POST'} /gateway/${string}`;

/**
 * One call of the wire: what it takes, what it answers and every refusal it can give besides the ones every call
 * can give (`COMMON_ERRORS`). Unknown fields of query and body are refused, never dropped.
 */
export interface CallContract {
  readonly summary: string;
  readonly access: CallAccess;
  readonly query?: TObject;
  readonly body?: TObject;
  readonly data: TSchema;
  readonly errors: readonly ErrorName[];
  /** The call creates or charges: the `Idempotency-Key` header is honoured. */
  readonly idempotent?: true;
  /**
   * The call moves money, rights, identity or a life cycle: every request leaves a row in the audit table. It says where the id of
   * what it is about stands; `self` is the member who calls.
   */
  readonly audited?: 'self' | `body.${string}` | `data.${string}`;
  /** The call answers a stream of this content type instead of JSON; its refusals come in the envelope as ever. */
  readonly stream?: string;
  /** The call takes bytes of this content type as they come, instead of JSON. */
  readonly upload?: string;
  /** The most its body may have, where that is not what every call takes. */
  readonly bodyLimitBytes?: number;
}

/** Names a domain's calls; the literal keys stay in the type, so that a misspelt call does not compile. */
export function defineCalls<const T extends Record<CallKey, CallContract>>(calls: T): T {
  return calls;
}

type StaticOr<T, Otherwise> = T extends TSchema ? Static<T> : Otherwise;

/** The TypeScript shapes of a domain's calls, derived from the schemas. */
export type CallTypes<T extends Record<string, CallContract>> = {
  [K in keyof T]: {
    query: StaticOr<T[K]['query'], undefined>;
    body: StaticOr<T[K]['body'], undefined>;
    data: StaticOr<T[K]['data'], never>;
  };
};

/** An object that refuses fields it does not know. */
export function Fields<const P extends Parameters<typeof Type.Object>[0]>(properties: P, options: { minProperties?: number } = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/** An opaque id (UUIDv7). The pattern refuses what the format alone lets through, such as `urn:uuid:…`. */
export const Id = Type.String({
  format: 'uuid',
  pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
});

/** ISO 8601 in UTC with `Z`. The pattern refuses what a Date cannot hold, such as a leap second; the format refuses 30 February. */
export const Instant = Type.String({
  format: 'date-time',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?Z$',
});

/** DCU on the wire: a JSON number with at most six decimals. */
export const Dcu = Type.Number();

export function Nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

/** One of a fixed list of words. */
export function OneOf<const T extends readonly string[]>(words: T) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...words] });
}

/** Paging of every list call: `current` counts from 1, `pageSize` is 10 unless said, at most 100. */
export const Paging = {
  current: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, default: 1 })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10 })),
};

/** The answer of every list call. */
export function PageOf<T extends TSchema>(row: T) {
  return Fields({ list: Type.Array(row), total: Type.Integer({ minimum: 0 }) });
}

/** The body every answer carries, whatever its HTTP status. */
export interface Envelope<T = unknown> {
  success: boolean;
  code: number;
  data: T | null;
  msg: string;
  traceId: string;
}
