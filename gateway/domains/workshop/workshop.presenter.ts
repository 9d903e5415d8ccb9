import type { Catalogue } from '../../catalog/catalogue';
import type { WorkshopCalls } from '../../contract/workshop';
import { dcuFromMicro } from '../../dcu';
import type { Language } from '../../locales/messages';
import { failureCodes, wordOf } from '../../locales/workshopWords';
import { FILLING } from '../labSession/reconcile.rules';
import { extendableHours, IDLE_KNOWN_AFTER_MS } from './idle.rules';
import { presentAdvice, presentImage, presentSpec } from './specOffer.service';
import { stopsNext } from './workshop.rules';
import type { EventRow, WorkshopRow } from './workshopView.repository';

export type WorkshopView = WorkshopCalls['GET /gateway/workshop/get']['data'];
type EventView = WorkshopCalls['GET /gateway/workshop/events']['data']['list'][number];

/** What a row alone does not say. */
export interface ViewContext {
  catalogue: Catalogue;
  language: Language;
  /** Asked only when a lab runs; null otherwise. */
  limits: { levelMaxHours: number; balanceUntil: Date | null } | null;
  terminalIds: readonly string[];
}

/** The only place a workshop row becomes wire. */
export function presentWorkshop(row: WorkshopRow, context: ViewContext): WorkshopView {
  const { catalogue, language } = context;
  return {
    workshopId: row.id,
    name: row.name,
    state: row.state,
    stateChangedAt: row.stateChangedAt.toISOString(),
    spec: presentSpec(catalogue.specOf(row.specId), language),
    image: presentImage(catalogue, row.imageId, language),
    maxHours: row.maxHours,
    idleMinutes: row.idleMinutes,
    env: row.env,
    network: row.network,
    failure: failureOf(row, language),
    stateReason: reasonOf(row, language),
    session: openSessionOf(row, context),
    lastSession: lastSessionOf(row, context),
    totalCostDcu: dcuFromMicro(row.totalMicro),
    cpuTrend: (row.cpuTrend ?? []).map((percent) => Math.round(percent * 10) / 10),
    isHomeThere: row.hasHome,
    createdAt: row.createdAt.toISOString(),
  };
}

function openSessionOf(row: WorkshopRow, context: ViewContext): WorkshopView['session'] {
  if (row.openId === null || row.openQueuedAt === null) return null;
  const isRunning = row.state === 'RUNNING';
  const idleMs = isRunning && row.openActiveAt ? row.now.getTime() - row.openActiveAt.getTime() : 0;
  const isIdle = idleMs >= IDLE_KNOWN_AFTER_MS;
  const observedMs = Number(row.openObservedMs ?? 0n);
  const run = {
    maxHours: row.maxHours,
    extendedMs: Number(row.openExtendedMs ?? 0n),
    levelMaxHours: context.limits?.levelMaxHours ?? 0,
  };
  const idle = { idleMinutes: row.idleMinutes, idleMs: isIdle ? idleMs : null };
  const balanceUntil = context.limits?.balanceUntil ?? null;
  const next = isRunning && context.limits ? stopsNext({ now: row.now, observedMs, balanceUntil, ...run, ...idle }) : null;
  return {
    sessionId: row.openId,
    queuedAt: row.openQueuedAt.toISOString(),
    startedAt: row.openStartedAt?.toISOString() ?? null,
    runningMs: observedMs,
    dcuPerHour: dcuFromMicro(row.openRateMicroPerHour ?? 0n),
    costDcu: dcuFromMicro(row.openMicro ?? 0n),
    stopsAt: next?.at.toISOString() ?? null,
    stopsCause: next?.cause ?? null,
    extendableHours: isRunning && context.limits ? extendableHours(run) : 0,
    idleSince: isIdle && row.openActiveAt ? row.openActiveAt.toISOString() : null,
    progress: progressOf(row, context.language),
    terminalIds: [...context.terminalIds],
  };
}

/** The engine's own words, but for what is done before it hears of the run. */
function progressOf({ openProgress }: WorkshopRow, language: Language) {
  return openProgress?.detail === FILLING ? { ...openProgress, detail: wordOf('fillingHome', language) } : openProgress;
}

function lastSessionOf(row: WorkshopRow, { catalogue, language }: ViewContext): WorkshopView['lastSession'] {
  if (row.lastId === null || row.lastEndedAt === null || row.lastStopReason === null) return null;
  const runningMs = Number(row.lastObservedMs ?? 0n);
  const used = { cpuP95Percent: row.lastCpuP95Percent, memoryPeakBytes: row.lastMemoryPeakBytes };
  const run = { specId: row.lastSpecId ?? row.specId, stopReason: row.lastStopReason, runningMs, ...used };
  return {
    sessionId: row.lastId,
    startedAt: row.lastStartedAt?.toISOString() ?? null,
    endedAt: row.lastEndedAt.toISOString(),
    runningMs,
    costDcu: dcuFromMicro(row.lastMicro ?? 0n),
    stopReason: row.lastStopReason,
    exitCode: row.lastExitCode,
    hasOutput: row.lastHasOutput ?? false,
    advice: run.specId === row.specId ? presentAdvice(catalogue, run, language) : null,
  };
}

function failureOf(row: WorkshopRow, language: Language): WorkshopView['failure'] {
  if (row.failureCode === null) return null;
  const known = failureCodes.find((code) => code === row.failureCode);
  return { code: row.failureCode, hint: wordOf(known ?? 'ENGINE_ERROR', language), isRetryable: row.isRetryable ?? false };
}

function reasonOf(row: WorkshopRow, language: Language): string {
  if (row.state === 'LOST') return wordOf('lost', language);
  if (row.stateReason === 'WAITS_FOR_ENGINE') return wordOf('waitsForEngine', language);
  if (row.stateReason === 'WAITS_FOR_EARLIER_RUN') return wordOf('waitsForEarlierRun', language);
  if (row.state === 'PULLING') return wordOf('pulling', language);
  if (row.stateReason === 'DELETE_FAILED') return wordOf('deleteFailed', language);
  return '';
}

export function presentEvent(row: EventRow): EventView {
  return {
    eventId: row.id,
    at: row.at.toISOString(),
    from: row.fromState,
    to: row.toState,
    reason: row.reason,
    actor: row.actor,
    evidence: row.evidence,
    sessionId: row.sessionId,
  };
}
