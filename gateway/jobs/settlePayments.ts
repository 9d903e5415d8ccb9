import type { FastifyBaseLogger } from 'fastify';
import type { AttemptService } from '../domains/payment/attempt.service';
import { createLoop, type Loop } from './loop';

const EVERY_MS = 5_000;

/** Asks the provider what became of attempts nobody told us the end of, and closes those whose time is over; how many it asked for. */
export function createSettlePaymentsLoop({ payments, log }: { payments: AttemptService; log: FastifyBaseLogger }): Loop<number> {
  return createLoop({ name: 'settlePayments', everyMs: EVERY_MS, log, run: () => payments.settleDue() });
}
