import { readNow, type Tx } from '../../db/client';
import type { LedgerService } from '../ledger/ledger.service';
import { planLeases } from './lease.rules';
import { type OpenSession, selectOpenSessionsForUpdate, updateMeter } from './meter.repository';
import { heldMicro, withRate } from './meter.rules';
import type { MeterNotice, NoteMeter } from './meterNotice';
import type { SettlementService } from './settlement.service';
import { PRICE_NOTICE_MS, SEGMENT_DUE_MS, type StalePrice } from './tick.repository';
import type { PriceOf, TickReport } from './tick.service';

const PRICE_FIXED_MS = 24 * 3_600_000;

interface Deps {
  ledger: LedgerService;
  settlement: SettlementService;
  priceOf: PriceOf;
  note: NoteMeter;
}

/** One member whose lots or prices change about now. */
export async function tickMember(deps: Deps, tx: Tx, memberId: string, stale: readonly StalePrice[]): Promise<Partial<TickReport>> {
  const { ledger, settlement } = deps;
  const wallet = await ledger.lockWallet(tx, memberId);
  const at = await readNow(tx);
  const sessions = await selectOpenSessionsForUpdate(tx, memberId);
  const repriced = sessions.filter((session) => priceStep(session, at, stale) === 'APPLY');
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

/** Announces and applies new prices, each with its event; sessions come back as they stand afterwards. */
async function applyPrices(
  { ledger, priceOf, note }: Deps,
  tx: Tx,
  memberId: string,
  sessions: OpenSession[],
  at: Date,
  stale: readonly StalePrice[],
) {
  const rateChanges: TickReport['rateChanges'] = [];
  const meters: OpenSession[] = [];
  const notices: MeterNotice[] = [];
  for (const session of sessions) {
    const price = priceOf(session.specId);
    const step = priceStep(session, at, stale);
    if (!price || step === null) {
      meters.push(session);
      continue;
    }
    const { sessionId, workshopId, rateMicroPerHour: fromMicroPerHour } = session;
    const { rateMicroPerHour: toMicroPerHour, priceVersion } = price;
    if (step === 'ANNOUNCE') {
      await updateMeter(tx, session, { priceNotifiedVersion: priceVersion, priceNotifiedAt: at });
      const appliesInMs = Math.max(session.priceFixedUntil.getTime() - at.getTime(), PRICE_NOTICE_MS);
      notices.push({ reason: 'PRICE_CHANGE_ANNOUNCED', sessionId, fromMicroPerHour, toMicroPerHour, appliesInMs });
      meters.push(session);
      continue;
    }
    const wallet = await ledger.lockWallet(tx, memberId);
    const changed = { ...session, ...withRate(session, toMicroPerHour, wallet.posted - wallet.held) };
    const priceFixedUntil = new Date(at.getTime() + PRICE_FIXED_MS);
    await updateMeter(tx, changed, { priceVersion, priceFixedUntil, priceNotifiedVersion: null, priceNotifiedAt: null });
    await ledger.moveHolds(tx, new Map([[memberId, heldMicro(changed) - heldMicro(session)]]));
    rateChanges.push({ sessionId, workshopId, memberId, priceVersion, fromMicroPerHour, toMicroPerHour });
    notices.push({ reason: 'PRICE_CHANGED', sessionId, fromMicroPerHour, toMicroPerHour });
    meters.push({ ...changed, priceVersion, priceFixedUntil });
  }
  await note(tx, notices);
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

/** What is next for the session's price: a newer one is announced first and applies half an hour later at the earliest. */
function priceStep(session: OpenSession, at: Date, stale: readonly StalePrice[]): 'ANNOUNCE' | 'APPLY' | null {
  const next = stale.find(({ specId, priceVersion }) => specId === session.specId && priceVersion === session.priceVersion);
  const fixedForMs = session.priceFixedUntil.getTime() - at.getTime();
  if (!next || session.segmentFromAtMs === null || fixedForMs > PRICE_NOTICE_MS) return null;
  const { priceNotifiedVersion, priceNotifiedAt } = session;
  if (priceNotifiedVersion === null || priceNotifiedAt === null || priceNotifiedVersion < next.newVersion) return 'ANNOUNCE';
  const isAnnounced = priceNotifiedVersion === next.newVersion && at.getTime() - priceNotifiedAt.getTime() >= PRICE_NOTICE_MS;
  return isAnnounced && fixedForMs <= 0 ? 'APPLY' : null;
}

function isSegmentDue(session: OpenSession, atMs: number): boolean {
  const from = session.segmentFromAtMs;
  if (from === null || session.observedMs === session.segmentFromMs) return false;
  return session.observedMs - session.segmentFromMs >= SEGMENT_DUE_MS || from <= atMs - Number(SEGMENT_DUE_MS);
}
