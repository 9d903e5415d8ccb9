import type { FastifyInstance } from 'fastify';
import { invalidField } from '../refusal';

/** What no column and no well-formed answer can carry: U+0000, and half of a surrogate pair. */
const UNSTORABLE = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Refuses such text in any field of query and body, at any depth, with `INVALID_INPUT` that names it. */
export function registerStorableText(app: FastifyInstance): void {
  app.addHook('preValidation', async ({ query, body }) => {
    const field = findUnstorable(query, 'query') ?? findUnstorable(body, 'body');
    if (field !== null) throw invalidField(field, 'unprintable');
  });
}

/** Where the first unstorable text stands (`body.tags.0`); a field is unstorable by its name, too. Null when there is none. */
function findUnstorable(input: unknown, path: string): string | null {
  if (typeof input === 'string') return UNSTORABLE.test(input) ? path : null;
  if (typeof input !== 'object' || input === null) return null;
  for (const [name, value] of Object.entries(input)) {
    if (UNSTORABLE.test(name)) return path;
    const found = findUnstorable(value, `${path}.${name}`);
    if (found !== null) return found;
  }
  return null;
}
