import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type CallContract, type CallKey, type CallTypes, Fields } from '../contract/contract';
import type { IdempotentRequest } from '../db/idempotency';
import { invalidField, Refusal } from '../refusal';
import { envelopeSchema } from './envelope';

/** Who makes a call: the member and the login session it came with. */
export interface SignedIn {
  memberId: string;
  loginSessionId: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the session plugin before a handler runs; null for a visitor. */
    signedIn: SignedIn | null;
  }
}

interface CallContext<C extends { query: unknown; body: unknown }, Access> {
  query: C['query'];
  body: C['body'];
  signedIn: Access extends 'member' ? SignedIn : SignedIn | null;
  /** Set on idempotent calls that carry an `Idempotency-Key`. */
  idempotency: IdempotentRequest | null;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** One handler a call: a missing or a misspelt one does not compile. */
export type CallHandlers<T extends Record<string, CallContract>> = {
  [K in keyof T]: (
    context: CallContext<CallTypes<T>[K], T[K]['access']>,
  ) => Promise<T[K] extends { stream: string } ? Readable : CallTypes<T>[K]['data']>;
};

/** A handler whose call is not known at compile time; the schemas checked what it is given. */
type AnyHandler = (context: CallContext<{ query: unknown; body: unknown }, string>) => Promise<unknown>;

/** Unknown fields are refused, so a call without a query takes none at all. */
const NO_QUERY = Fields({});

/** Registers a domain's calls: validation, access, idempotency and serialisation follow from the contract. */
export function registerCalls<T extends Record<CallKey, CallContract>>(
  app: FastifyInstance,
  contract: T,
  handlers: CallHandlers<T>,
): void {
  for (const key of Object.keys(contract) as (keyof T & CallKey)[]) {
    const call: CallContract = contract[key];
    const [method, url] = key.split(' ') as ['GET' | 'POST', string];
    const handler = handlers[key] as AnyHandler;
    app.route({
      method,
      url,
      schema: {
        summary: call.summary,
        tags: [url.split('/')[2] ?? ''],
        querystring: call.query ?? NO_QUERY,
        ...(call.body ? { body: call.body } : {}),
        response: { 200: answerSchema(call) },
      },
      config: { call: { ...call, key } },
      ...(call.bodyLimitBytes === undefined ? {} : { bodyLimit: call.bodyLimitBytes }),
      handler: async (request, reply) => {
        if (call.access === 'member' && !request.signedIn) throw new Refusal('UNAUTHORIZED');
        if (!call.body && !call.upload && request.body !== undefined && request.body !== null) throw invalidField('body', 'absent');
        const context: CallContext<{ query: unknown; body: unknown }, string> = {
          query: request.query,
          body: request.body,
          signedIn: request.signedIn,
          idempotency: call.idempotent ? readIdempotency(request, key) : null,
          request,
          reply,
        };
        const data = await handler(context as never);
        if (call.stream !== undefined) return reply.type(call.stream).send(data);
        return { success: true, code: 0, data, msg: '', traceId: request.id };
      },
    });
  }
}

/** What an answer that succeeded looks like: the envelope, or for a stream its content type. */
function answerSchema({ data, stream }: CallContract): object {
  return stream === undefined ? envelopeSchema(data) : { description: 'A stream.', content: { [stream]: { schema: data } } };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    call?: CallContract & { key: CallKey };
  }
}

function readIdempotency(request: FastifyRequest, route: CallKey): IdempotentRequest | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{8,128}$/.test(key)) {
    throw invalidField('headers.idempotency-key', 'idempotencyKey');
  }
  return { route, key, requestHash: createHash('sha256').update(JSON.stringify(request.body, sortFields)).digest() };
}

/** Two bodies that differ in the order of their fields only are the same request. */
function sortFields(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
