import type { FastifyBaseLogger } from 'fastify';
import type { Deps } from './app';
import type { Services } from './services';

/** What `main` starts after the engine is open and stops, in reverse, before it closes. */
export interface BackgroundLoop {
  start(): void;
  stop(): Promise<void>;
}

/** Every background loop, one line each. */
export function createLoops(_deps: Deps, _services: Services, _log: FastifyBaseLogger): BackgroundLoop[] {
  return [];
}
