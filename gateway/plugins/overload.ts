import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../refusal';

const RESOLUTION_MS = 10;
const SAMPLE_MS = 500;
const RETRY_SECONDS = 2;
/** Who must be answered most when it is hard: an orchestrator that hears nothing would restart a gateway that only has much to do. */
const PROBES = new Set(['/healthz', '/metrics']);

/**
 * Refuses requests with `UNAVAILABLE` while the event loop is late by more than `loopDelayMs` on average: a quick "later" serves those
 * in progress better than a queue that only grows. Register it before whatever costs something. 0 switches it off.
 */
export function registerOverload(
  app: FastifyInstance,
  { loopDelayMs }: { loopDelayMs: number },
  watchLoop: () => LoopWatch = createLoopWatch,
): void {
  if (loopDelayMs === 0) return;
  const watch = watchLoop();
  app.addHook('onRequest', async ({ routeOptions }) => {
    if (watch.meanDelayMs() <= loopDelayMs || PROBES.has(routeOptions.url ?? '')) return;
    throw new Refusal('UNAVAILABLE', { retryAfterSeconds: RETRY_SECONDS });
  });
  app.addHook('onClose', async () => watch.stop());
}

export interface LoopWatch {
  /** How late the event loop was on average in each of the last two samples, at least. */
  meanDelayMs(): number;
  stop(): void;
}

export function createLoopWatch(): LoopWatch {
  const histogram: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let meanMs = 0;
  let lastMs = 0;
  histogram.enable();
  const timer = setInterval(() => {
    // What is measured is the time between two looks, which is the resolution when nothing is late.
    const nowMs = Math.max(0, histogram.mean / 1e6 - RESOLUTION_MS) || 0;
    // One stall alone (the start itself, a busy machine) is over when it is seen: what is late twice running is too much to do.
    meanMs = Math.min(nowMs, lastMs);
    lastMs = nowMs;
    histogram.reset();
  }, SAMPLE_MS).unref();
  return {
    meanDelayMs: () => meanMs,
    stop() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}
