import { readNow, type Tx } from '../../db/client';
import type { LedgerService, Wallet } from '../ledger/ledger.service';
import { endOf } from '../ledger/lot.rules';
import {
  clearWarnings,
  insertSegments,
  type OpenSession,
  selectMembersWithSessions,
  selectOpenSessionsForUpdate,
  updateMeter,
} from './meter.repository';
import { unreportedMicro } from './meter.rules';
import { settle } from './settle.rules';

/** An expired lot waits this long for the sightings around its expiry, so that it mostly goes in one piece. */
const SIGHTINGS_DUE_MS = 60_000;

export type SettlementService = ReturnType<typeof createSettlementService>;

/** Closes segments of one member at a time, under the wallet's lock: what every change of what would be burnt begins with. */
export function createSettlementService({ ledger }: { ledger: LedgerService }) {
  /**
   * Closes the open segments of `sessions` (locked, of one member) up to what was observed or up to `untilMs`, in one piece with
   * their postings. Returns them as they stand afterwards.
   */
  async function closeSegments(tx: Tx, wallet: Wallet, sessions: readonly OpenSession[], untilMs?: number): Promise<OpenSession[]> {
    const { segments, meters } = settle(sessions, await ledger.lotsOf(tx, wallet.memberId), untilMs);
    if (segments.length === 0) return [...sessions];
    const keyOf = (segment: { sessionId: string; seq: number }) => `usage:${segment.sessionId}:${segment.seq}`;
    const postings = segments
      .filter((segment) => segment.micro > 0n)
      .map((segment) => ({
        ...{ kind: 'usage' as const, idemKey: keyOf(segment), refType: 'labSession', refId: segment.sessionId },
        ...{ micro: segment.micro, uses: segment.uses },
      }));
    const txIds = await ledger.post(tx, wallet, await readNow(tx), postings);
    const before = new Map(sessions.map((session) => [session.sessionId, session]));
    await insertSegments(
      tx,
      wallet.memberId,
      segments.flatMap((segment) => {
        const session = before.get(segment.sessionId);
        if (!session) return [];
        const { rateMicroPerHour, priceVersion } = session;
        return [{ ...segment, txId: txIds.get(keyOf(segment)) ?? null, rateMicroPerHour, priceVersion }];
      }),
    );
    const after: OpenSession[] = [];
    for (const meter of meters) {
      const session = before.get(meter.sessionId);
      if (!session) continue;
      if (meter.segmentSeq !== session.segmentSeq) await updateMeter(tx, meter);
      after.push({ ...session, ...meter });
    }
    return after;
  }

  /** Closes every open segment of the member at this instant, cut where lots expired, so that what is burnt next may change. */
  async function settleMember(tx: Tx, memberId: string): Promise<void> {
    const wallet = await ledger.lockWallet(tx, memberId);
    const sessions = await selectOpenSessionsForUpdate(tx, memberId);
    if (sessions.length === 0) return;
    await closeSegments(tx, wallet, sessions);
    await clearWarnings(tx, memberId);
  }

  /**
   * Takes the member's expired lots to breakage: usage before the expiry burns the lot first, then its remainder goes. What
   * open sessions may still report of the time before the expiry stays, until they are seen past it or end. Returns how much
   * went.
   */
  async function expireLotsOf(tx: Tx, memberId: string): Promise<bigint> {
    let wallet = await ledger.lockWallet(tx, memberId);
    let sessions = await selectOpenSessionsForUpdate(tx, memberId);
    const nowMs = (await readNow(tx)).getTime();
    let expiredMicro = 0n;
    for (const { lotId } of (await ledger.lotsOf(tx, memberId)).filter((lot) => endOf(lot) <= nowMs)) {
      const lot = (await ledger.lotsOf(tx, memberId)).find((candidate) => candidate.lotId === lotId);
      if (!lot) continue;
      const isUnreported = sessions.some((session) => unreportedMicro(session, endOf(lot)) > 0n);
      if (isUnreported && nowMs < endOf(lot) + SIGHTINGS_DUE_MS) continue;
      sessions = await closeSegments(tx, wallet, sessions, endOf(lot));
      wallet = await ledger.lockWallet(tx, memberId);
      const left = (await ledger.lotsOf(tx, memberId)).find((candidate) => candidate.lotId === lotId);
      const keptMicro = sessions.reduce((sum, session) => sum + unreportedMicro(session, endOf(lot)), 0n);
      if (left) expiredMicro += await ledger.expireLot(tx, memberId, left, keptMicro);
      wallet = await ledger.lockWallet(tx, memberId);
    }
    return expiredMicro;
  }

  /**
   * The same for all those of many members who have no open session, of whom nothing is held and whom nobody else works on, in one
   * statement: nothing can still be reported of the time before the expiry. Returns whom it settled and how much went; the others are
   * for `expireLotsOf`.
   */
  async function expireIdleLots(tx: Tx, memberIds: readonly string[]): Promise<{ settled: string[]; expiredMicro: bigint }> {
    const wallets = await ledger.lockFreeWallets(tx, memberIds);
    const running = await selectMembersWithSessions(
      tx,
      wallets.map((wallet) => wallet.memberId),
    );
    const idle = wallets.filter(({ memberId, held }) => held === 0n && !running.has(memberId));
    const settled = idle.map((wallet) => wallet.memberId);
    return { settled, expiredMicro: await ledger.expireLots(tx, await readNow(tx), settled) };
  }

  return { closeSegments, settleMember, expireLotsOf, expireIdleLots };
}
