import { OutgoingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type TSchema, Type } from '@sinclair/typebox';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { Envelope } from '../contract/contract';
import { type ErrorName, errors, type InvalidField } from '../contract/errors';
import { sqlState } from '../db/client';
import { type FieldProblem, problemOf } from '../locales/fieldProblems';
import { languageOf, messageOf } from '../locales/messages';
import { invalidField, invalidFields, Refusal } from '../refusal';
import { BARE_HEADERS } from './securityHeaders';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whom the refusal was about, for the audit table. */
    refusedSubject: string | null;
  }
}

/** The schema of an answer that succeeded. */
export function envelopeSchema(data: TSchema): TSchema {
  return Type.Object({ success: Type.Boolean(), code: Type.Integer(), data, msg: Type.String(), traceId: Type.String() });
}

/** SQLSTATE classes in which the database could not answer just now: connection, resources, operator intervention, time-outs. */
const UNAVAILABLE_STATES = /^(08|53|57|55P03|40)/;
/** SQLSTATE class of values a column cannot take: input that the contract should have refused, so it is logged as well. */
const UNFIT_STATES = /^22/;
const UNAVAILABLE_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** Turns every error into the envelope with its honest HTTP status; nothing of an unexpected error is shown but its trace id. */
export function registerEnvelope(app: FastifyInstance): void {
  app.decorateRequest('refusedSubject', null);
  app.setErrorHandler((error: FastifyError | Refusal, request, reply) => {
    const refusal = refusalOf(error);
    if (errors[refusal.error].status >= 500 || isUnfit(error)) request.log.error({ err: error }, refusal.error);
    return sendRefusal(request, reply, refusal);
  });
  app.setNotFoundHandler((request, reply) => sendRefusal(request, reply, new Refusal('NOT_FOUND')));
}

/** Answers a refusal with the envelope, in the member's language. */
export function sendRefusal(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { status } = errors[refusal.error];
  request.refusedSubject = refusal.options.subject ?? null;
  const body = envelopeOf(refusal, request.id, request.headers['accept-language']);
  if (refusal.options.retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(refusal.options.retryAfterSeconds));
  return reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body);
}

function envelopeOf({ error, options }: Refusal, traceId: string, acceptLanguage: string | undefined): Envelope {
  const language = languageOf(acceptLanguage);
  const fields = options.problems?.map(
    (problem): InvalidField => ({ field: problem.field, message: problemOf(problem, language) }),
  );
  const first = fields?.[0];
  const params = first ? { field: first.field, problem: first.message } : options.params;
  return {
    success: false,
    code: errors[error].code,
    data: fields ? { ...options.data, fields } : (options.data ?? null),
    msg: options.sentences?.[language] ?? messageOf(error, language, params),
    traceId,
  };
}

/** Answers bytes that are no HTTP request, or one that never came to its end, on the bare connection, and closes it. */
export function answerUnreadable({ code }: NodeJS.ErrnoException, socket: Socket): void {
  // The other side has gone, or these bytes would stand within another answer.
  if (!socket.writable || code === 'ECONNRESET' || isAnswering(socket)) {
    socket.destroy();
    return;
  }
  const isLate = code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const refusal = isLate ? new Refusal('REQUEST_TIMEOUT') : invalidField('request', 'http');
  const body = JSON.stringify(envelopeOf(refusal, uuidv7(), undefined));
  const headers = {
    ...BARE_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([isLate ? 'HTTP/1.1 408 Request Timeout' : 'HTTP/1.1 400 Bad Request', ...lines, '', body].join('\r\n'));
}

/** Whether an answer is on its way on the connection: the field that Node's own answer to such bytes looks at, for want of a public one. */
function isAnswering(socket: Socket): boolean {
  const answer: unknown = Reflect.get(socket, '_httpMessage');
  return answer instanceof OutgoingMessage && answer.headersSent;
}

function refusalOf(error: FastifyError | Refusal): Refusal {
  if (error instanceof Refusal) return error;
  if (error.validation) return inputRefusal(error);
  if (isUnavailable(error)) return new Refusal('UNAVAILABLE', { retryAfterSeconds: 1 });
  if (isUnfit(error)) return invalidField('request', 'invalid');
  if (error.statusCode === 400) return invalidField('body', 'json');
  const known = byStatus[error.statusCode ?? 500];
  // A precondition nobody can meet, say: the request's fault, not ours.
  if (!known && error.statusCode && error.statusCode > 400 && error.statusCode < 500) return invalidField('request', 'invalid');
  return new Refusal(known ?? 'INTERNAL');
}

/** What Fastify itself refuses a request with, before a handler sees it. */
const byStatus: Readonly<Record<number, ErrorName>> = {
  413: 'BODY_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  416: 'RANGE_NOT_SATISFIABLE',
  429: 'TOO_MANY_REQUESTS',
  503: 'UNAVAILABLE',
};

/** More are not said: whoever sends thousands of wrong fields gets no answer of thousands of sentences. */
const MOST_FIELDS = 20;

function inputRefusal(error: FastifyError): Refusal {
  const part = error.validationContext === 'querystring' ? 'query' : (error.validationContext ?? 'body');
  const problems = new Map<string, FieldProblem>();
  for (const broken of error.validation ?? []) {
    const problem = problemWith(broken, part);
    // A value can break several rules at once; one sentence a field is enough.
    if (!problems.has(problem.field)) problems.set(problem.field, problem);
    if (problems.size === MOST_FIELDS) break;
  }
  return invalidFields([...problems.values()]);
}

/** What a broken rule of the schema is called. */
const keywords: Readonly<Record<string, FieldProblem['word']>> = {
  required: 'required',
  additionalProperties: 'unknown',
  type: 'type',
  enum: 'choice',
  pattern: 'form',
  format: 'form',
  minLength: 'minLength',
  maxLength: 'maxLength',
  minimum: 'minimum',
  maximum: 'maximum',
  minProperties: 'nothingToChange',
};

function problemWith({ keyword, instancePath, params }: FastifySchemaValidationError, part: string): FieldProblem {
  const named = params.missingProperty ?? params.additionalProperty;
  const path = instancePath.split('/').slice(1);
  const { limit, type, allowedValues } = params;
  return {
    field: [part, ...path, ...(named === undefined ? [] : [String(named)])].join('.'),
    word: keywords[keyword] ?? 'invalid',
    params: { limit: String(limit), type: String(type), choices: Array.isArray(allowedValues) ? allowedValues.join(', ') : '' },
  };
}

function isUnfit(error: Error): boolean {
  return UNFIT_STATES.test(sqlState(error));
}

function isUnavailable(error: Error): boolean {
  const state = sqlState(error);
  return (
    UNAVAILABLE_STATES.test(state) ||
    UNAVAILABLE_CODES.has(state) ||
    error.message.includes('timeout exceeded when trying to connect')
  );
}
