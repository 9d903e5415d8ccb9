import type { Catalogue } from '../../catalog/catalogue';
import type { MetricRange, WorkshopCalls } from '../../contract/workshop';
import type { Db } from '../../db/client';
import { dcuFromMicro } from '../../dcu';
import { type ComputeEngine, EngineUnreachable, type LabSample } from '../../drivers/compute/computeEngine';
import { Refusal } from '../../refusal';
import { isInUse, type Rates } from './idle.rules';
import type { LabActivityService } from './labActivity.service';
import { findWorkshop } from './workshop.repository';
import { HOUR_MS } from './workshop.rules';
import {
  type Bucket,
  findRun,
  insertSamples,
  listRunningLabs,
  readRunSeries,
  readSeries,
  readTotals,
  type Sample,
  updateDiskBytes,
} from './workshopMetrics.repository';

type Ask = WorkshopCalls['GET /gateway/workshop/metricsStatistics']['query'];
type Statistics = WorkshopCalls['GET /gateway/workshop/metricsStatistics']['data'];

/** At most 240 points a series; never finer than the sampling. */
const buckets: Readonly<Record<MetricRange, { count: number; stepSeconds: number }>> = {
  '15m': { count: 180, stepSeconds: 5 },
  '1h': { count: 240, stepSeconds: 15 },
  '6h': { count: 240, stepSeconds: 90 },
  '24h': { count: 240, stepSeconds: 360 },
  '7d': { count: 240, stepSeconds: 2520 },
};

interface Deps {
  db: Db;
  engine: ComputeEngine;
  catalogue: Catalogue;
  activity: LabActivityService;
}

export type WorkshopMetricsService = ReturnType<typeof createWorkshopMetricsService>;

/** What labs use: sampled from the engine, shown as series and as a member's totals. */
export function createWorkshopMetricsService({ db, engine, catalogue, activity }: Deps) {
  /** The counters of the last look, from which the next one makes a rate. */
  let earlier = new Map<string, LabSample>();

  return {
    /** One look at every running lab of this gateway's engine; how many were written. A silent engine leaves a gap. */
    async sample(): Promise<number> {
      const labs = await listRunningLabs(db, engine.instanceId);
      const seen = new Map<string, LabSample>();
      try {
        for (const one of labs.length === 0 ? [] : await engine.sample(labs.map((lab) => lab.engineRef))) seen.set(one.ref, one);
      } catch (error) {
        if (!(error instanceof EngineUnreachable)) throw error;
      }
      const rates = new Map(labs.map(({ engineRef }) => [engineRef, ratesBetween(earlier.get(engineRef), seen.get(engineRef))]));
      const samples = labs.flatMap(({ sessionId, engineRef, specId }): Sample[] => {
        const spec = catalogue.findSpec(specId);
        const now = seen.get(engineRef);
        const rate = rates.get(engineRef);
        if (!spec || !now || !rate) return [];
        const { cpuCoresUsed, ...network } = rate;
        return [{ sessionId, cpuPercent: percentOf(cpuCoresUsed, spec.cpuCores), ...now, ...network }];
      });
      earlier = seen;
      await activity.noteUse(
        labs.filter(({ engineRef }) => isInUse(rates.get(engineRef) ?? null)).map(({ workshopId }) => workshopId),
      );
      await updateDiskBytes(
        db,
        labs.flatMap(({ workshopId, engineRef }) => diskOf(workshopId, seen.get(engineRef))),
      );
      await insertSamples(db, samples);
      return samples.length;
    },

    /** Throws NOT_FOUND for a workshop or a run that is not the member's. A run comes with what it ran on, whatever the workshop has now. */
    async statistics(memberId: string, { workshopId, sessionId, range = '1h' }: Ask): Promise<Statistics> {
      const workshop = workshopId === undefined ? undefined : await findWorkshop(db, memberId, workshopId);
      const run = sessionId === undefined ? undefined : await findRun(db, memberId, sessionId);
      if ((workshopId !== undefined && !workshop) || (sessionId !== undefined && !run)) throw new Refusal('NOT_FOUND');
      const [series, totals] = await Promise.all([
        run ? readRunSeries(db, run) : workshop ? readSeries(db, workshop.id, buckets[range]) : [],
        readTotals(db, memberId),
      ]);
      const shown = run ?? workshop;
      const spec = shown ? catalogue.findSpec(shown.specId) : null;
      return {
        series: presentSeries(series),
        memoryLimitBytes: spec?.memoryBytes ?? null,
        cpuCores: spec?.cpuCores ?? null,
        summary: {
          running: totals.running,
          stopped: totals.stopped,
          hoursThisMonth: Math.round((Number(totals.monthMs) / HOUR_MS) * 1000) / 1000,
          dcuThisMonth: dcuFromMicro(totals.monthMicro),
        },
      };
    },
  };
}

function diskOf(workshopId: string, sample: LabSample | undefined): { workshopId: string; diskBytes: number }[] {
  return sample && sample.diskBytes !== null ? [{ workshopId, diskBytes: sample.diskBytes }] : [];
}

function percentOf(cpuCoresUsed: number, cpuCores: number): number {
  return Math.round((cpuCoresUsed / cpuCores) * 1000) / 10;
}

/** What a lab did between two looks; null without two looks that follow each other. */
export function ratesBetween(before: LabSample | undefined, now: LabSample | undefined): Rates | null {
  if (!before || !now) return null;
  const passedMs = now.sampledAtMs - before.sampledAtMs;
  const usedMs = now.cpuMsTotal - before.cpuMsTotal;
  if (passedMs <= 0 || usedMs < 0) return null;
  const rateOf = (from: number | null, to: number | null) =>
    from === null || to === null || to < from ? null : Math.round(((to - from) / passedMs) * 1000);
  return {
    cpuCoresUsed: usedMs / passedMs,
    rxBytesPerSecond: rateOf(before.rxBytes, now.rxBytes),
    txBytesPerSecond: rateOf(before.txBytes, now.txBytes),
  };
}

function presentSeries(series: readonly Bucket[]): Statistics['series'] {
  return {
    at: series.map((bucket) => bucket.at.toISOString()),
    cpuPercent: series.map(({ cpuPercent }) => (cpuPercent === null ? null : Math.round(cpuPercent * 10) / 10)),
    memoryBytes: series.map(({ memoryBytes }) => whole(memoryBytes)),
    diskBytes: series.map(({ diskBytes }) => diskBytes),
    rxBytesPerSecond: series.map(({ rxBytesPerSecond }) => whole(rxBytesPerSecond)),
    txBytesPerSecond: series.map(({ txBytesPerSecond }) => whole(txBytesPerSecond)),
    costDcu: series.map(({ costMicro }) => (costMicro === null ? null : dcuFromMicro(costMicro))),
  };
}

function whole(value: number | null): number | null {
  return value === null ? null : Math.round(value);
}
