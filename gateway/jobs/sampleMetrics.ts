import type { FastifyBaseLogger } from 'fastify';
import type { WorkshopMetricsService } from '../domains/workshop/workshopMetrics.service';
import { createLoop, type Loop } from './loop';

const EVERY_MS = 5_000;

/** Looks at what every running lab of this gateway's engine uses. */
export function createSampleMetricsLoop({
  workshopMetrics,
  log,
}: {
  workshopMetrics: WorkshopMetricsService;
  log: FastifyBaseLogger;
}): Loop<number> {
  return createLoop({ name: 'sampleMetrics', everyMs: EVERY_MS, run: workshopMetrics.sample, log });
}
