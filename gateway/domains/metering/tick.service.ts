import type { FastifyBaseLogger } from 'fastify';
import { Counter } from 'prom-client';
import type { Clock } from '../../clock';
import { limits } from '../../contract/limits';
import { type Db, inTransaction, readNow, sqlState } from '../../db/client';
import { failpoint } from '../../failpoint';
import { metrics } from '../../metrics';
import type { LedgerService } from '../ledger/ledger.service';
import type { Runway } from './lease.rules';
import type { NoteMeter } from './meterNotice';
import type { SettlementService } from './settlement.service';
import { selectDueMembers, selectMembersToWarn, selectOverduePrices, updateWarned } from './tick.repository';
import { runBatch, setBatchLimits } from './tickBatch.service';
import { tickMember } from './tickMember.service';

const BATCH_WALLETS = 2_000;
/**
 * A pass closes so many segments, whoever is due: leases, by which labs live, must never wait for bookkeeping, however many labs were once
 * started together. At a pass every 15 s that is half a million labs an hour; what is left over is due in the next.
 */
const SEGMENTS_A_PASS = 2_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Somebody else held what the pass needed, again and again: the next pass sees it. */
const LOCKED = /^(40P01|40001|55P03)$/;
/** The database has no room or is going down: nobody's rows are to blame. */
const UNWELL = /^(53|57P|58|XX)/;

const failedMembers = new Counter({
  name: 'atelier_meter_members_failed_total',
  help: 'Members whom a pass of the meter could not charge or extend; any is an alarm',
  registers: [metrics],
});

export type PriceOf = (specId: string) => { rateMicroPerHour: bigint; priceVersion: number } | null;

/** What one pass of the meter did, and what the caller has to carry on: leases to the engines. Its events are written. */
export interface TickReport {
  wallets: number;
  segments: number;
  chargedMicro: bigint;
  leases: { sessionId: string; engineInstanceId: string; engineRef: string | null; leaseLimitMs: number }[];
  rateChanges: {
    sessionId: string;
    workshopId: string;
    memberId: string;
    fromMicroPerHour: bigint;
    toMicroPerHour: bigint;
    priceVersion: number;
  }[];
  warnings: { memberId: string; sessionIds: string[]; thresholdMs: number; runwayMs: number; lastsUntil: Date }[];
  /** Wallets somebody else held; the next pass sees them. */
  skippedWallets: number;
  /** Members whose charge, lease or warning could not be written; each is logged. */
  failedMembers: number;
  tookMs: number;
}

interface Deps {
  db: Db;
  clock: Clock;
  ledger: LedgerService;
  settlement: SettlementService;
  priceOf: PriceOf;
  note: NoteMeter;
  getRunway: (memberId: string) => Promise<Runway>;
  log: FastifyBaseLogger;
  segmentsAPass?: number | undefined;
}

/** The meter's pass over all running labs: set-based batches, each its own transaction; members with changing lots or prices one by one. */
export function createTickService(deps: Deps) {
  return { tick: () => tick(deps) };
}

/** Extends leases that run low, closes segments that are due, applies new prices and tells who newly runs short. */
async function tick(deps: Deps): Promise<TickReport> {
  const { db, clock, priceOf, segmentsAPass = SEGMENTS_A_PASS } = deps;
  const startedMs = clock.monotonicMs();
  const report: TickReport = {
    ...{
      wallets: 0,
      segments: 0,
      chargedMicro: 0n,
      leases: [],
      rateChanges: [],
      warnings: [],
      skippedWallets: 0,
      failedMembers: 0,
      tookMs: 0,
    },
  };
  const overdue = await selectOverduePrices(db, await readNow(db));
  // Only forward: a gateway with an older catalogue may work on the same database.
  const stale = overdue
    .map((price) => ({ ...price, newVersion: priceOf(price.specId)?.priceVersion ?? price.priceVersion }))
    .filter(({ priceVersion, newVersion }) => newVersion > priceVersion);
  const toPlan: string[] = [];
  const closable = () => segmentsAPass - report.segments;
  for (let after: string | null = FIRST_ID; after !== null; ) {
    const from: string = after;
    const due = await inTransaction(db, async (tx) => {
      await setBatchLimits(tx);
      return selectDueMembers(tx, { after: from, at: await readNow(tx), stale, size: BATCH_WALLETS, isClosing: closable() > 0 });
    });
    await apart(deps, report, due, async (memberIds) => {
      const batch = await inTransaction(db, async (tx) => {
        const done = await runBatch(deps.ledger, tx, memberIds, stale, closable());
        await failpoint('meter.settled');
        return done;
      });
      await failpoint('meter.committed');
      merge(report, batch.part);
      toPlan.push(...batch.toPlan);
    });
    after = due.length < BATCH_WALLETS ? null : (due.at(-1) ?? null);
  }
  for (const memberId of toPlan) {
    await apart(deps, report, [memberId], async () =>
      merge(report, await inTransaction(db, (tx) => tickMember(deps, tx, memberId, stale))),
    );
  }
  await warn(deps, report);
  report.tookMs = clock.monotonicMs() - startedMs;
  return report;
}

/**
 * Does the work for all members at once and, when the database refuses it, in halves down to the one member who is the
 * reason; that one is logged and counted, and the others go on. Throws when the database itself is not well.
 */
async function apart(
  deps: Deps,
  report: TickReport,
  memberIds: readonly string[],
  work: (memberIds: readonly string[]) => Promise<void>,
): Promise<void> {
  if (memberIds.length === 0) return;
  try {
    await work(memberIds);
  } catch (err) {
    if (UNWELL.test(sqlState(err))) throw err;
    await readNow(deps.db);
    if (LOCKED.test(sqlState(err))) {
      report.skippedWallets += memberIds.length;
      deps.log.warn({ err, wallets: memberIds.length }, 'wallets were left to the next pass of the meter');
    } else if (memberIds.length > 1) {
      const half = Math.ceil(memberIds.length / 2);
      await apart(deps, report, memberIds.slice(0, half), work);
      await apart(deps, report, memberIds.slice(half), work);
    } else {
      report.failedMembers += 1;
      failedMembers.inc();
      deps.log.error({ err, memberId: memberIds[0] }, 'the meter of a member could not be written');
    }
  }
}

async function warn(deps: Deps, report: TickReport): Promise<void> {
  const { db } = deps;
  const told = new Set<string>();
  for (const thresholdMs of [...limits.runwayWarningsMs].sort((a, b) => a - b)) {
    for (const memberId of await selectMembersToWarn(db, await readNow(db), thresholdMs)) {
      await apart(deps, report, [memberId], async () => {
        const warning = told.has(memberId) ? null : await warnMember(deps, memberId, thresholdMs);
        if (!warning) return;
        told.add(memberId);
        report.warnings.push(warning);
      });
    }
  }
}

async function warnMember(
  { db, getRunway, note }: Deps,
  memberId: string,
  thresholdMs: number,
): Promise<TickReport['warnings'][number] | null> {
  const { runwayMs, lastsUntilMs } = await getRunway(memberId);
  if (runwayMs === null || lastsUntilMs === null || runwayMs > thresholdMs) return null;
  const sessionIds = await inTransaction(db, async (tx) => {
    const warned = await updateWarned(tx, memberId, thresholdMs);
    await note(
      tx,
      warned.map((sessionId) => ({ reason: 'RUNWAY_LOW', sessionId, runwayMs: Math.round(runwayMs) })),
    );
    return warned;
  });
  if (sessionIds.length === 0) return null;
  return { memberId, sessionIds, thresholdMs, runwayMs, lastsUntil: new Date(lastsUntilMs) };
}

function merge(report: TickReport, part: Partial<TickReport>): void {
  report.wallets += part.wallets ?? 0;
  report.segments += part.segments ?? 0;
  report.chargedMicro += part.chargedMicro ?? 0n;
  report.skippedWallets += part.skippedWallets ?? 0;
  report.leases.push(...(part.leases ?? []));
  report.rateChanges.push(...(part.rateChanges ?? []));
}
