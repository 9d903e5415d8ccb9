import type { FastifyBaseLogger } from 'fastify';
import { Counter } from 'prom-client';
import type { StopReason } from '../../contract/workshopStates';
import { type Db, inTransaction, readNow, type Tx } from '../../db/client';
import { dcuFromMicro, shownDcu } from '../../dcu';
import { metrics } from '../../metrics';
import { Refusal } from '../../refusal';
import type { LedgerService } from '../ledger/ledger.service';
import { availableMicro } from '../ledger/lot.rules';
import { canCoverStart } from './lease.rules';
import {
  insertSession,
  type NewSession,
  selectOpenSessionsForUpdate,
  selectOwners,
  selectSessionEnd,
  updateEnded,
  updateMeter,
  updateSightings,
} from './meter.repository';
import { accruedOf, heldMicro, LEASE_MS, neededMicro, withSighting } from './meter.rules';
import type { SettlementService } from './settlement.service';

const PRICE_FIXED_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

const leaseLapses = new Counter({
  name: 'atelier_lease_lapsed_total',
  help: 'Labs that stopped at their lease although the balance sufficed; any is an alarm',
  registers: [metrics],
});

export interface SessionEnd {
  stopReason: StopReason;
  observedMs: bigint;
  chargedMicro: bigint;
}

/** How long an engine saw a session's lab run, since the lab's start. */
export interface Sighting {
  sessionId: string;
  runningMs: number;
}

export interface Ending extends Sighting {
  stopReason: StopReason | 'LEASE';
  exitCode: number | null;
}

interface Deps {
  db: Db;
  ledger: LedgerService;
  settlement: SettlementService;
  log: FastifyBaseLogger;
}

/** The meter of a lab session from its start to its end; what each promises stands at the functions below. */
export function createSessionService(deps: Deps) {
  return {
    openSession: (tx: Tx, session: NewSession) => openSession(deps, tx, session),
    recordSightings: (sightings: readonly Sighting[]) => recordSightings(deps, sightings),
    pauseSessions: (sessionIds: readonly string[]) => pauseSessions(deps, sessionIds),
    endSession: (tx: Tx, end: Ending) => endSession(deps, tx, end),
  };
}

/**
 * Opens a session's meter and holds its first ten minutes; the caller holds the wallet's lock.
 * Refuses with `MEMBER_DCU_LIMIT` when the balance, or what of it is still valid in ten minutes, does not cover them.
 */
async function openSession({ ledger }: Deps, tx: Tx, session: NewSession): Promise<void> {
  const wallet = await ledger.lockWallet(tx, session.memberId);
  const at = await readNow(tx);
  const lots = await ledger.lotsOf(tx, session.memberId);
  const meters = await selectOpenSessionsForUpdate(tx, session.memberId);
  const position = { lots, meters, atMs: at.getTime() };
  const needed = neededMicro(session.rateMicroPerHour, LEASE_MS);
  const now = availableMicro(wallet, lots, at.getTime());
  const later = availableMicro(wallet, lots, at.getTime() + Number(LEASE_MS));
  const available = now >= needed && !canCoverStart(position, session.rateMicroPerHour) ? later : now;
  if (available < needed) {
    throw tooLittle({ needed, available, remain: wallet.posted - accruedOf(meters) });
  }
  const priceFixedUntil = new Date(at.getTime() + PRICE_FIXED_MS);
  await insertSession(tx, session, at, { limitMs: LEASE_MS, heldMicro: needed, priceFixedUntil });
  await ledger.moveHolds(tx, new Map([[session.memberId, needed]]));
}

/** Records what an engine vouches for; unknown and ended sessions are passed over. */
async function recordSightings({ db }: Deps, sightings: readonly Sighting[]): Promise<void> {
  if (sightings.length === 0) return;
  const seen = sightings.map(({ sessionId, runningMs }) => ({ sessionId, runningMs: wholeMs(runningMs) }));
  await inTransaction(db, (tx) => updateSightings(tx, seen));
}

/** A gap begins: open segments close with what was observed, and the meters stand still until the next sighting. */
async function pauseSessions({ db, ledger, settlement }: Deps, sessionIds: readonly string[]): Promise<void> {
  if (sessionIds.length === 0) return;
  const paused = new Set(sessionIds);
  for (const memberId of await selectOwners(db, sessionIds)) {
    await inTransaction(db, async (tx) => {
      const wallet = await ledger.lockWallet(tx, memberId);
      const sessions = (await selectOpenSessionsForUpdate(tx, memberId)).filter(({ sessionId }) => paused.has(sessionId));
      for (const session of await settlement.closeSegments(tx, wallet, sessions)) {
        await updateMeter(tx, { ...session, segmentFromAtMs: null });
      }
    });
  }
}

/**
 * Charges the last observed time and releases the hold; a session that has ended answers with its end. 'LEASE' becomes
 * BALANCE_EXHAUSTED, or LEASE_LAPSED (an alarm) when the balance could have bought another minute.
 * Throws when there is no such session.
 */
async function endSession(deps: Deps, tx: Tx, end: Ending): Promise<SessionEnd> {
  const { ledger, settlement } = deps;
  const { memberId } = await endOfSession(tx, end.sessionId);
  const wallet = await ledger.lockWallet(tx, memberId);
  const session = (await selectOpenSessionsForUpdate(tx, memberId)).find(({ sessionId }) => sessionId === end.sessionId);
  const stored = await endOfSession(tx, end.sessionId);
  if (!session) return finished(stored);
  const at = await readNow(tx);
  const runningMs = wholeMs(end.runningMs);
  const seen = { ...session, ...(runningMs > session.observedMs ? withSighting(session, runningMs, at.getTime()) : {}) };
  await updateMeter(tx, seen, stored.startedAt === null && runningMs > 0n ? { startedAt: before(at, runningMs) } : {});
  const [settled] = await settlement.closeSegments(tx, wallet, [seen]);
  if (!settled) throw new Error(`session ${end.sessionId} vanished while it was settled`);
  const unused = heldMicro(settled);
  await ledger.moveHolds(tx, new Map([[memberId, -unused]]));
  const stopReason = end.stopReason === 'LEASE' ? await whyLeaseEnded(deps, tx, memberId, settled) : end.stopReason;
  await updateEnded(tx, end.sessionId, { endedAt: at, stopReason, exitCode: end.exitCode });
  return { stopReason, observedMs: settled.observedMs, chargedMicro: settled.chargedMicro };
}

async function whyLeaseEnded(
  { ledger, log }: Deps,
  tx: Tx,
  memberId: string,
  session: { sessionId: string; rateMicroPerHour: bigint },
): Promise<StopReason> {
  const wallet = await ledger.lockWallet(tx, memberId);
  const inAMinute = (await readNow(tx)).getTime() + MINUTE_MS;
  const free = availableMicro(wallet, await ledger.lotsOf(tx, memberId), inAMinute);
  const minute = neededMicro(session.rateMicroPerHour, BigInt(MINUTE_MS));
  if (free < minute) return 'BALANCE_EXHAUSTED';
  leaseLapses.inc();
  log.error({ sessionId: session.sessionId, freeMicro: String(free) }, 'a lease lapsed although the balance sufficed');
  return 'LEASE_LAPSED';
}

async function endOfSession(tx: Tx, sessionId: string) {
  const stored = await selectSessionEnd(tx, sessionId);
  if (!stored) throw new Error(`there is no session ${sessionId}`);
  return stored;
}

function finished(stored: { stopReason: StopReason | null; observedMs: bigint; chargedMicro: bigint }): SessionEnd {
  const { stopReason, observedMs, chargedMicro } = stored;
  if (stopReason === null) throw new Error('an open session was not found among its member’s');
  return { stopReason, observedMs, chargedMicro };
}

function before(at: Date, ms: bigint): Date {
  return new Date(at.getTime() - Number(ms));
}

function wholeMs(ms: number): bigint {
  if (!Number.isFinite(ms) || ms < 0) throw new RangeError(`not a run time: ${ms}`);
  return BigInt(Math.floor(ms));
}

function tooLittle({ needed, available, remain }: { needed: bigint; available: bigint; remain: bigint }): Refusal {
  return new Refusal('MEMBER_DCU_LIMIT', {
    data: {
      cause: 'BALANCE',
      neededDcu: dcuFromMicro(needed),
      availableDcu: dcuFromMicro(available),
      remainDcu: dcuFromMicro(remain),
      missingDcu: dcuFromMicro(needed - available),
    },
    params: { needed: shownDcu(needed), available: shownDcu(available), remain: shownDcu(remain) },
  });
}
