import type { FastifyBaseLogger } from 'fastify';
import type { RefundSendService } from '../domains/payment/refundSend.service';
import { createLoop, type Loop } from './loop';

const EVERY_MS = 5_000;

/** Sends refunds that are due to the provider, again and again until it says what became of them; how many were due. */
export function createSendRefundsLoop({
  refundSending,
  log,
}: {
  refundSending: RefundSendService;
  log: FastifyBaseLogger;
}): Loop<number> {
  return createLoop({ name: 'sendRefunds', everyMs: EVERY_MS, log, run: () => refundSending.sendDue() });
}
