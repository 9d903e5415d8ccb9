import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { invalidField } from '../refusal';

/** What no column and no well-formed answer can carry: U+0000, and half of a surrogate pair. */
const UNSTORABLE = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Deeper than any call's body, and far from the depth at which whoever walks through it runs out of stack. */
export const MAX_DEPTH = 20;

/**
 * Refuses, with `INVALID_INPUT` that names the field, what no call takes: a body nested too deeply, a query with the same name twice (who
 * reads which one is anybody's guess) and text that cannot be stored, at any depth.
 */
export function registerPlainInput(app: FastifyInstance): void {
  app.addHook('preValidation', async ({ query, body, routeOptions }) => {
    const repeated = Object.entries(query ?? {}).find(([, value]) => Array.isArray(value));
    if (repeated && routeOptions.config.call) throw invalidField(`query.${repeated[0]}`, 'repeated');
    requirePlain(query, 'query', 1);
    requirePlain(body, 'body', 1);
  });
}

/** Throws for the first thing in it that does not fit, named as far as it is known (`body.tags.0`); a name can be unstorable as well. */
function requirePlain(input: unknown, path: string, depth: number): void {
  if (typeof input === 'string') {
    if (UNSTORABLE.test(input)) throw invalidField(path, 'unprintable');
    return;
  }
  // Bytes as they came are for whoever checks their signature, or writes them to a file.
  if (typeof input !== 'object' || input === null || Buffer.isBuffer(input) || input instanceof Readable) return;
  if (depth > MAX_DEPTH) throw invalidField(path.split('.', 2).join('.'), 'depth', { limit: MAX_DEPTH });
  for (const [name, value] of Object.entries(input)) {
    if (UNSTORABLE.test(name)) throw invalidField(path, 'unprintable');
    requirePlain(value, `${path}.${name}`, depth + 1);
  }
}
