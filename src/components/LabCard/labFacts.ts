import { formatBytes } from '@/utils/formatBytes';
import { formatExact, formatNumber } from '@/utils/formatNumber';
import { formatDuration, formatInstant, formatMoment } from '@/utils/formatTime';
import type { Text } from '@/utils/words';
import type { Calls } from '../../../gateway/contract/calls';
import { limits } from '../../../gateway/contract/limits';

export type Lab = Calls['GET /gateway/workshop/get']['data'];

/** One part of the live line, with the exact figure for a tooltip where the part rounds. */
export interface LabFact {
  key: string;
  words: string;
  exact?: string;
}

/** What the open run has cost and how long it has run by now. */
export interface LiveFigures {
  costDcu: number;
  runningMs: number;
}

const HOUR_MS = 3_600_000;

/**
 * The figures between two answers: they move on at the rate, but never further than `maxAheadMs` beyond what the gateway
 * said, so that a silent gateway does not make a bill up.
 */
export function aheadOf(session: NonNullable<Lab['session']>, elapsedMs: number, maxAheadMs: number): LiveFigures {
  const aheadMs = Math.min(Math.max(0, elapsedMs), maxAheadMs);
  return {
    costDcu: session.costDcu + (session.dcuPerHour * aheadMs) / HOUR_MS,
    runningMs: session.runningMs + aheadMs,
  };
}

function runFacts(lab: Lab, live: LiveFigures, lastsUntil: string | null, text: Text): LabFact[] {
  const session = lab.session;
  if (!session) return [];
  const facts: LabFact[] = [
    {
      key: 'cost',
      words: text('workshop.card.cost', { cost: formatNumber(live.costDcu) }),
      exact: text('workshop.exact', { value: formatExact(live.costDcu) }),
    },
    { key: 'rate', words: text('workshop.card.rate', { rate: formatNumber(session.dcuPerHour) }) },
  ];
  // Where the balance is what stops the lab, one moment says both.
  if (lastsUntil && session.stopsCause !== 'BALANCE') {
    facts.push({
      key: 'lasts',
      words: text('workshop.card.lasts', { moment: formatMoment(lastsUntil) }),
      exact: formatInstant(lastsUntil),
    });
  }
  if (session.stopsAt && session.stopsCause) {
    const cause = text(`workshop.cause.${session.stopsCause}`);
    facts.push({
      key: 'stops',
      words: text('workshop.card.stops', { moment: formatMoment(session.stopsAt), cause }),
      exact: formatInstant(session.stopsAt),
    });
  }
  return facts;
}

function restFacts(lab: Lab, text: Text): LabFact[] {
  const facts: LabFact[] = [{ key: 'rate', words: text('workshop.card.rate', { rate: formatNumber(lab.spec.dcuPerHour) }) }];
  const last = lab.lastSession;
  if (!last) return [...facts, { key: 'never', words: text('workshop.card.never') }];
  return [
    {
      key: 'total',
      words: text('workshop.card.total', { cost: formatNumber(lab.totalCostDcu) }),
      exact: text('workshop.exact', { value: formatExact(lab.totalCostDcu) }),
    },
    ...facts,
    {
      key: 'last',
      words: text('workshop.card.last', { duration: formatDuration(last.runningMs), ago: formatMoment(last.endedAt) }),
      exact: formatInstant(last.endedAt),
    },
  ];
}

/** The live line of a lab: what it costs, how long the balance lasts and what stops it next; what it cost when it rests. */
export function factsOf(lab: Lab, live: LiveFigures, lastsUntil: string | null, text: Text): LabFact[] {
  if (!lab.session) return restFacts(lab, text);
  const rate: LabFact = { key: 'rate', words: text('workshop.card.rate', { rate: formatNumber(lab.session.dcuPerHour) }) };
  if (lab.state === 'QUEUED' || lab.state === 'PULLING' || lab.state === 'STARTING') {
    return [rate, { key: 'waiting', words: text('workshop.card.waiting') }];
  }
  const facts = runFacts(lab, live, lab.state === 'RUNNING' ? lastsUntil : null, text);
  if (lab.state !== 'LOST') return facts;
  return [...facts.slice(0, 2), { key: 'paused', words: text('workshop.card.paused') }];
}

/** A stop that a press of a button can move: a limit of the member's own, or the time without use. */
export function isExtendOffered({ state, session }: Lab): boolean {
  return state === 'RUNNING' && (session?.stopsCause === 'MAX_HOURS' || session?.stopsCause === 'IDLE');
}

/** Whether it stops by itself within the minutes in which that is warned of. */
export function isStopNear({ state, session }: Lab, now = Date.now()): boolean {
  return state === 'RUNNING' && session?.stopsAt != null && Date.parse(session.stopsAt) - now <= limits.warnBeforeStopMs;
}

/** Size and environment in one muted line. */
export function sizeWords(lab: Lab, text: Text): string {
  const cores = text('workshop.cores', { count: lab.spec.cpuCores });
  return `${cores} · ${formatBytes(lab.spec.memoryBytes)} · ${lab.image.name}`;
}

export function labPath(workshopId: string, tab?: string): string {
  return `/main/myLab/workshop/detail/${workshopId}${tab ? `?tab=${tab}` : ''}`;
}
