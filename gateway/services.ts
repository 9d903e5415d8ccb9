import type { FastifyBaseLogger } from 'fastify';
import type { Deps } from './app';

/** Every service of the gateway, each made once; one line a domain, in the order in which they need each other. */
export function createServices(_deps: Deps, _log: FastifyBaseLogger) {
  return {};
}

export type Services = ReturnType<typeof createServices>;
