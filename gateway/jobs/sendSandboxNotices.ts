import type { FastifyBaseLogger } from 'fastify';
import type { Sandbox } from '../drivers/payment/sandbox/sandbox';
import { createLoop, type Loop } from './loop';

const EVERY_MS = 1_000;

/** The sandbox's own pace: notices that are due or were not acknowledged; how many were acknowledged. */
export function createSendSandboxNoticesLoop({ sandbox, log }: { sandbox: Sandbox; log: FastifyBaseLogger }): Loop<number> {
  return createLoop({ name: 'sendSandboxNotices', everyMs: EVERY_MS, log, run: () => sandbox.sendNotices() });
}
