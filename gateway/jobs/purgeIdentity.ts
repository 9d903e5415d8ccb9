import type { FastifyBaseLogger } from 'fastify';
import type { IdentityServices } from '../domains/user/identity';
import { createLoop, type Loop } from './loop';

const EVERY_MS = 10 * 60_000;

/** Keeps no text message, code, counter, login session or stored answer longer than it is needed. */
export function createPurgeIdentityLoop(
  { purgeIdentity }: Pick<IdentityServices, 'purgeIdentity'>,
  log: FastifyBaseLogger,
): Loop<void> {
  return createLoop({ name: 'purgeIdentity', everyMs: EVERY_MS, run: purgeIdentity, log });
}
