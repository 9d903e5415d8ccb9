import type { FastifyBaseLogger } from 'fastify';
import type { AlertService } from '../domains/account/alert.service';
import { createLoop, type Loop } from './loop';

const EVERY_MS = 60_000;

/** Tells members within a minute that their balance fell below what they set. */
export function createWatchBalancesLoop({ alerts, log }: { alerts: AlertService; log: FastifyBaseLogger }): Loop<unknown> {
  return createLoop({ name: 'watchBalances', everyMs: EVERY_MS, log, run: () => alerts.watchAll() });
}
