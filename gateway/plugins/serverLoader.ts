import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { Fields } from '../contract/contract';

const Query = Fields({
  /** A route's id, as the framework numbers or names it. */
  route: Type.String({ minLength: 1, maxLength: 200 }),
  /** The address the page stands at; browsers leave more in it than the format `uri` allows. */
  url: Type.String({ pattern: '^https?://\\S+$', maxLength: 4096 }),
});

/**
 * The framework's optional call for the data a server would have rendered a route with, answered as the framework reads it: bare
 * JSON, not the envelope. Pages are rendered in the browser and fetch what they show themselves, so no route has any, which is `{}`;
 * whether a route exists only the console knows. Nothing here depends on who asks. Refuses another query with INVALID_INPUT.
 */
export function registerServerLoader(app: FastifyInstance): void {
  app.get<{ Querystring: Static<typeof Query> }>('/__serverLoader', { schema: { querystring: Query } }, async () => ({}));
}
