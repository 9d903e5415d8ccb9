import { readNow, type Tx } from '../../db/client';
import type { LedgerService } from '../ledger/ledger.service';
import { planLeases } from './lease.rules';
import { type OpenSession, selectOpenSessionsForUpdate, updateMeter } from './meter.repository';
import { heldMicro, withRate } from './meter.rules';
import type { SettlementService } from './settlement.service';
import { type Price, SEGMENT_DUE_MS } from './tick.repository';
import type { PriceOf, TickReport } from './tick.service';

const PRICE_FIXED_MS = 24 * 3_600_000;

interface Deps {
  ledger: LedgerService;
  settlement: SettlementService;
  priceOf: PriceOf;
}

/** One member whose lots or prices change about now. */
export async function tickMember(deps: Deps, tx: Tx, memberId: string, stale: readonly Price[]): Promise<Partial<TickReport>> {
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

function isRepriced(session: OpenSession, at: Date, stale: readonly Price[]): boolean {
  if (session.segmentFromAtMs === null || session.priceFixedUntil > at) return false;
  return stale.some(({ specId, priceVersion }) => specId === session.specId && priceVersion === session.priceVersion);
}

function isSegmentDue(session: OpenSession, atMs: number): boolean {
  const from = session.segmentFromAtMs;
  if (from === null || session.observedMs === session.segmentFromMs) return false;
  return session.observedMs - session.segmentFromMs >= SEGMENT_DUE_MS || from <= atMs - Number(SEGMENT_DUE_MS);
}
