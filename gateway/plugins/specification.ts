import fastifySwagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import type { CallContract } from '../contract/contract';
import { COMMON_ERRORS, type ErrorName, errors } from '../contract/errors';
import { secretCookieOf } from './sessionCookies';

const ENVELOPE_OF_REFUSAL = {
  type: 'object',
  required: ['success', 'code', 'data', 'msg', 'traceId'],
  properties: {
    success: { const: false },
    code: { type: 'integer' },
    data: { type: ['object', 'null'] },
    msg: { type: 'string' },
    traceId: { type: 'string' },
  },
};

/**
 * The OpenAPI 3.1 description at `/gateway/openapi.json`, made from the contract the routes are registered by. To be called
 * before them.
 */
export async function registerSpecification(app: FastifyInstance, config: { publicUrl: string }): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Atelier gateway',
        version: '1',
        description: `Every answer is the envelope; \`code\` 0 is success. Any call can also be refused with:\n${list(COMMON_ERRORS)}`,
      },
      components: { securitySchemes: { loginSession: { type: 'apiKey', in: 'cookie', name: secretCookieOf(config) } } },
    },
    transform: ({ schema, url, route }) => {
      const call = route.config?.call;
      if (!call) return { schema: { hide: true }, url };
      const security = call.access === 'member' ? [{ loginSession: [] }] : [];
      const response = { ...(schema.response as object), ...refusalsOf(call) };
      return { schema: { ...schema, description: explainCall(call), security, response }, url };
    },
  });
  app.get('/gateway/openapi.json', async () => app.swagger());
}

function explainCall(call: CallContract): string {
  const idempotency = call.idempotent ? ['Honours `Idempotency-Key`.'] : [];
  return [call.summary, ...idempotency, ...(call.errors.length > 0 ? ['Refusals:', list(call.errors)] : [])].join('\n');
}

function list(names: readonly ErrorName[]): string {
  return names.map((name) => `- \`${errors[name].code}\` ${name}: ${errors[name].meaning}`).join('\n');
}

/** The refusals that come with a status of their own; those with 200 share the schema's success entry. */
function refusalsOf(call: CallContract): Record<string, object> {
  const byStatus = new Map<number, ErrorName[]>();
  for (const name of call.errors) {
    const { status } = errors[name];
    if (status !== 200) byStatus.set(status, [...(byStatus.get(status) ?? []), name]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [status, { description: names.join(', '), ...ENVELOPE_OF_REFUSAL }]),
  );
}
