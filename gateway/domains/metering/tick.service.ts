import { sql } from 'kysely';
import type { Clock } from '../../clock';
import { limits } from '../../contract/limits';
import { type Db, inTransaction, readNow, type Tx } from '../../db/client';
import type { LedgerService } from '../ledger/ledger.service';
import { planLeases, type Runway } from './lease.rules';
import { type OpenSession, selectOpenSessionsForUpdate, updateMeter } from './meter.repository';
import { heldMicro, withRate } from './meter.rules';
import type { SettlementService } from './settlement.service';
import {
  lockSessions,
  type Price,
  raiseLeases,
  SEGMENT_DUE_MS,
  selectDueMembers,
  selectDueSegments,
  selectMembersToPlan,
  selectMembersToWarn,
  selectOverduePrices,
  updateWarned,
  writeDueSegments,
} from './tick.repository';

const BATCH_WALLETS = 2_000;
const PRICE_FIXED_MS = 24 * 3_600_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

export type PriceOf = (specId: string) => { rateMicroPerHour: bigint; priceVersion: number } | null;

/** What one pass of the meter did, and what the caller has to carry on: leases to the engines, events and notices. */
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
  tookMs: number;
}

interface Batch {
  cursor: string | null;
  toPlan: string[];
}

interface Deps {
  db: Db;
  clock: Clock;
  ledger: LedgerService;
  settlement: SettlementService;
  priceOf: PriceOf;
  getRunway: (memberId: string) => Promise<Runway>;
}

/** The meter's pass over all running labs: set-based batches, each its own transaction; members with changing lots or prices one by one. */
export function createTickService(deps: Deps) {
  return { tick: () => tick(deps) };
}

/** Extends leases that run low, closes segments that are due, applies new prices and tells who newly runs short. */
async function tick(deps: Deps): Promise<TickReport> {
  const { db, clock, priceOf } = deps;
  const startedMs = clock.monotonicMs();
  const report: TickReport = {
    ...{ wallets: 0, segments: 0, chargedMicro: 0n, leases: [], rateChanges: [], warnings: [], skippedWallets: 0, tookMs: 0 },
  };
  const overdue = await selectOverduePrices(db, await readNow(db));
  // Only forward: a gateway with an older catalogue may work on the same database.
  const stale = overdue.filter(({ specId, priceVersion }) => (priceOf(specId)?.priceVersion ?? priceVersion) > priceVersion);
  const toPlan: string[] = [];
  for (let after: string | null = FIRST_ID; after !== null; ) {
    const from: string = after;
    const { batch, part } = await inTransaction(db, (tx) => runBatch(deps, tx, from, stale));
    merge(report, part);
    toPlan.push(...batch.toPlan);
    after = batch.cursor;
  }
  for (const memberId of toPlan) merge(report, await inTransaction(db, (tx) => tickMember(deps, tx, memberId, stale)));
  report.warnings = await warn(deps);
  report.tookMs = clock.monotonicMs() - startedMs;
  return report;
}

async function runBatch(
  { ledger }: Deps,
  tx: Tx,
  after: string,
  stale: readonly Price[],
): Promise<{ batch: Batch; part: Partial<TickReport> }> {
  await sql`set local statement_timeout = 60000`.execute(tx);
  await sql`set local idle_in_transaction_session_timeout = 60000`.execute(tx);
  // A batch is a small part of every table: by index, the cost of a session stays the same however many there are.
  await sql`set local enable_seqscan = off`.execute(tx);
  const seenAt = await readNow(tx);
  const due = await selectDueMembers(tx, { after, at: seenAt, stale, size: BATCH_WALLETS });
  const cursor = due.length < BATCH_WALLETS ? null : (due.at(-1) ?? null);
  if (due.length === 0) return { batch: { cursor, toPlan: [] }, part: {} };
  const wallets = await ledger.lockFreeWallets(tx, due);
  const locked = wallets.map((wallet) => wallet.memberId);
  await lockSessions(tx, locked);
  const at = await readNow(tx);
  const toPlan = await selectMembersToPlan(tx, locked, at, stale);
  const plain = wallets.filter((wallet) => !toPlan.has(wallet.memberId));
  const segments = await closeDueSegments(
    ledger,
    tx,
    plain.map((wallet) => wallet.memberId),
    at,
  );
  // What is free does not change when usage is charged: balance and hold fall together.
  const raised = await raiseLeases(tx, new Map(plain.map((wallet) => [wallet.memberId, wallet.posted - wallet.held])));
  const holds = new Map<string, bigint>();
  for (const lease of raised) holds.set(lease.memberId, (holds.get(lease.memberId) ?? 0n) + lease.heldMicro);
  await ledger.moveHolds(tx, holds);
  const leases = raised.map(({ sessionId, engineInstanceId, engineRef, leaseLimitMs }) => ({
    ...{ sessionId, engineInstanceId, engineRef, leaseLimitMs: Number(leaseLimitMs) },
  }));
  return {
    batch: { cursor, toPlan: [...toPlan].sort() },
    part: { ...segments, leases, wallets: plain.length, skippedWallets: due.length - wallets.length },
  };
}

async function closeDueSegments(
  ledger: LedgerService,
  tx: Tx,
  memberIds: string[],
  at: Date,
): Promise<{ segments: number; chargedMicro: bigint }> {
  const due = await selectDueSegments(tx, memberIds, at);
  if (due.length === 0) return { segments: 0, chargedMicro: 0n };
  const keyOf = (segment: { sessionId: string; seq: number }) => `usage:${segment.sessionId}:${segment.seq}`;
  const charges = due
    .filter((segment) => segment.micro > 0n)
    .map((segment) => ({
      ...{
        memberId: segment.memberId,
        idemKey: keyOf(segment),
        refType: 'labSession',
        refId: segment.sessionId,
        micro: segment.micro,
      },
    }));
  const txIds = await ledger.chargeUsage(tx, at, charges);
  await writeDueSegments(
    tx,
    due.map((segment) => ({ ...segment, txId: txIds.get(keyOf(segment)) ?? null })),
  );
  return { segments: due.length, chargedMicro: charges.reduce((sum, charge) => sum + charge.micro, 0n) };
}

/** One member whose lots or prices change about now. */
async function tickMember(deps: Deps, tx: Tx, memberId: string, stale: readonly Price[]): Promise<Partial<TickReport>> {
  const { ledger, settlement } = deps;
  const wallet = await ledger.lockWallet(tx, memberId);
  const at = await readNow(tx);
  const sessions = await selectOpenSessionsForUpdate(tx, memberId);
  const repriced = sessions.filter((session) => isRepriced(session, at, stale));
  const due = sessions.filter((session) => isSegmentDue(session, at.getTime()) || repriced.includes(session));
  const closed = new Map((await settlement.closeSegments(tx, wallet, due)).map((session) => [session.sessionId, session]));
  const chargedMicro = [...closed.values()].reduce(
    (sum, session) => sum + session.chargedMicro - (sessions.find((s) => s.sessionId === session.sessionId)?.chargedMicro ?? 0n),
    0n,
  );
  const current = sessions.map((session) => closed.get(session.sessionId) ?? session);
  const { rateChanges, meters } = await applyPrices(deps, tx, memberId, current, at, stale);
  const leases = await applyLeases(deps, tx, memberId, meters, at);
  return { wallets: 1, segments: due.length, chargedMicro, leases, rateChanges };
}

async function applyPrices(
  { ledger, priceOf }: Deps,
  tx: Tx,
  memberId: string,
  sessions: OpenSession[],
  at: Date,
  stale: readonly Price[],
) {
  const rateChanges: TickReport['rateChanges'] = [];
  const meters: OpenSession[] = [];
  for (const session of sessions) {
    const price = priceOf(session.specId);
    if (!price || !isRepriced(session, at, stale)) {
      meters.push(session);
      continue;
    }
    const wallet = await ledger.lockWallet(tx, memberId);
    const changed = { ...session, ...withRate(session, price.rateMicroPerHour, wallet.posted - wallet.held) };
    const priceFixedUntil = new Date(at.getTime() + PRICE_FIXED_MS);
    await updateMeter(tx, changed, { priceVersion: price.priceVersion, priceFixedUntil });
    await ledger.moveHolds(tx, new Map([[memberId, heldMicro(changed) - heldMicro(session)]]));
    const { sessionId, workshopId } = session;
    rateChanges.push({
      ...{ sessionId, workshopId, memberId, priceVersion: price.priceVersion },
      ...{ fromMicroPerHour: session.rateMicroPerHour, toMicroPerHour: price.rateMicroPerHour },
    });
    meters.push({ ...changed, priceVersion: price.priceVersion, priceFixedUntil });
  }
  return { rateChanges, meters };
}

async function applyLeases(
  { ledger }: Deps,
  tx: Tx,
  memberId: string,
  sessions: readonly OpenSession[],
  at: Date,
): Promise<TickReport['leases']> {
  const limitsMs = planLeases({ lots: await ledger.lotsOf(tx, memberId), meters: sessions, atMs: at.getTime() });
  const leases: TickReport['leases'] = [];
  let heldMore = 0n;
  for (const session of sessions) {
    const leaseLimitMs = limitsMs.get(session.sessionId) ?? session.leaseLimitMs;
    if (leaseLimitMs <= session.leaseLimitMs) continue;
    const raised = { ...session, leaseLimitMs };
    await updateMeter(tx, raised);
    heldMore += heldMicro(raised) - heldMicro(session);
    const { sessionId, engineInstanceId, engineRef } = session;
    leases.push({ sessionId, engineInstanceId, engineRef, leaseLimitMs: Number(leaseLimitMs) });
  }
  await ledger.moveHolds(tx, new Map([[memberId, heldMore]]));
  return leases;
}

async function warn({ db, getRunway }: Deps): Promise<TickReport['warnings']> {
  const warnings: TickReport['warnings'] = [];
  const told = new Set<string>();
  for (const thresholdMs of [...limits.runwayWarningsMs].sort((a, b) => a - b)) {
    for (const memberId of await selectMembersToWarn(db, await readNow(db), thresholdMs)) {
      const { runwayMs, lastsUntilMs } = await getRunway(memberId);
      if (runwayMs === null || lastsUntilMs === null || runwayMs > thresholdMs || told.has(memberId)) continue;
      const sessionIds = await updateWarned(db, memberId, thresholdMs);
      if (sessionIds.length === 0) continue;
      told.add(memberId);
      warnings.push({ memberId, sessionIds, thresholdMs, runwayMs, lastsUntil: new Date(lastsUntilMs) });
    }
  }
  return warnings;
}

function isRepriced(session: OpenSession, at: Date, stale: readonly Price[]): boolean {
  if (session.segmentFromAtMs === null || session.priceFixedUntil > at) return false;
  return stale.some(({ specId, priceVersion }) => specId === session.specId && priceVersion === session.priceVersion);
}

function isSegmentDue(session: OpenSession, atMs: number): boolean {
  const from = session.segmentFromAtMs;
  if (from === null || session.observedMs === session.segmentFromMs) return false;
  return session.observedMs - session.segmentFromMs >= SEGMENT_DUE_MS || from <= atMs - Number(SEGMENT_DUE_MS);
}

function merge(report: TickReport, part: Partial<TickReport>): void {
  report.wallets += part.wallets ?? 0;
  report.segments += part.segments ?? 0;
  report.chargedMicro += part.chargedMicro ?? 0n;
  report.skippedWallets += part.skippedWallets ?? 0;
  report.leases.push(...(part.leases ?? []));
  report.rateChanges.push(...(part.rateChanges ?? []));
}
