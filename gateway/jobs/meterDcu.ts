import type { FastifyBaseLogger } from 'fastify';
import type { MeteringService } from '../domains/metering/metering.service';
import type { TickReport } from '../domains/metering/tick.service';
import type { ComputeEngine } from '../drivers/compute/computeEngine';
import { createLoop, type Loop } from './loop';

const EVERY_MS = 15_000;

export interface MeterDcuDeps {
  metering: MeteringService;
  engine: ComputeEngine;
  log: FastifyBaseLogger;
  /** What follows from a pass beyond leases: events of changed rates, notices of short runways. */
  onReport?: (report: TickReport) => Promise<void>;
}

/**
 * The meter's pace: a pass over all running labs, then the raised leases to the engine of this gateway. A lease that does not
 * arrive is told again by reconciliation, which compares what the engine lists with what is written.
 */
export function createMeterDcuLoop({ metering, engine, log, onReport }: MeterDcuDeps): Loop<TickReport> {
  return createLoop({
    name: 'meterDcu',
    everyMs: EVERY_MS,
    log,
    run: async () => {
      const report = await metering.tick();
      await extendLeases(engine, report.leases, log);
      await onReport?.(report);
      return report;
    },
  });
}

async function extendLeases(engine: ComputeEngine, leases: TickReport['leases'], log: FastifyBaseLogger): Promise<void> {
  const own = leases.filter((lease) => lease.engineInstanceId === engine.instanceId);
  const told = await Promise.allSettled(
    own.map(({ engineRef, leaseLimitMs }) =>
      engineRef === null ? Promise.resolve() : engine.extendLease(engineRef, leaseLimitMs),
    ),
  );
  const failed = told.filter((outcome) => outcome.status === 'rejected');
  if (failed.length > 0) log.warn({ failed: failed.length, err: failed[0]?.reason }, 'leases were not told to the engine');
}
