import type { FastifyBaseLogger } from 'fastify';
import type { Deps } from './app';
import { createPurgeIdentityLoop } from './jobs/purgeIdentity';
import type { Services } from './services';

/** What `main` starts after the engine is open and stops, in reverse, before it closes. */
export interface BackgroundLoop {
  start(): void;
  stop(): Promise<void>;
}

/** Every background loop, one line each. */
export function createLoops(_deps: Deps, services: Services, log: FastifyBaseLogger): BackgroundLoop[] {
  return [createPurgeIdentityLoop(services, log)];
}
