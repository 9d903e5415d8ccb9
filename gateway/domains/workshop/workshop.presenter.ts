import type { Catalogue } from '../../catalog/catalogue';
import type { WorkshopCalls } from '../../contract/workshop';
import { dcuFromMicro } from '../../dcu';
import type { Language } from '../../locales/messages';
import { failureCodes, wordOf } from '../../locales/workshopWords';
import { presentSpec } from './specOffer.service';
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
  const image = catalogue.imageOf(row.imageId);
  return {
    workshopId: row.id,
    name: row.name,
    state: row.state,
    stateChangedAt: row.stateChangedAt.toISOString(),
    spec: presentSpec(catalogue.specOf(row.specId), language),
    image: { imageId: image.imageId, name: image.name[language] },
    maxHours: row.maxHours,
    failure: failureOf(row, language),
    stateReason: reasonOf(row, language),
    session: openSessionOf(row, context),
    lastSession: lastSessionOf(row),
    totalCostDcu: dcuFromMicro(row.totalMicro),
    cpuTrend: (row.cpuTrend ?? []).map((percent) => Math.round(percent * 10) / 10),
    createdAt: row.createdAt.toISOString(),
  };
}

function openSessionOf(row: WorkshopRow, context: ViewContext): WorkshopView['session'] {
  if (row.openId === null || row.openQueuedAt === null) return null;
  const observedMs = Number(row.openObservedMs ?? 0n);
  const next =
    row.state === 'RUNNING' && context.limits
      ? stopsNext({ now: row.now, observedMs, maxHours: row.maxHours, ...context.limits })
      : null;
  return {
    sessionId: row.openId,
    queuedAt: row.openQueuedAt.toISOString(),
    startedAt: row.openStartedAt?.toISOString() ?? null,
    runningMs: observedMs,
    dcuPerHour: dcuFromMicro(row.openRateMicroPerHour ?? 0n),
    costDcu: dcuFromMicro(row.openMicro ?? 0n),
    stopsAt: next?.at.toISOString() ?? null,
    stopsCause: next?.cause ?? null,
    terminalIds: [...context.terminalIds],
  };
}

function lastSessionOf(row: WorkshopRow): WorkshopView['lastSession'] {
  if (row.lastId === null || row.lastEndedAt === null || row.lastStopReason === null) return null;
  return {
    sessionId: row.lastId,
    startedAt: row.lastStartedAt?.toISOString() ?? null,
    endedAt: row.lastEndedAt.toISOString(),
    runningMs: Number(row.lastObservedMs ?? 0n),
    costDcu: dcuFromMicro(row.lastMicro ?? 0n),
    stopReason: row.lastStopReason,
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
