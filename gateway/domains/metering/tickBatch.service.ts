import { sql } from 'kysely';
import { readNow, type Tx } from '../../db/client';
import type { LedgerService } from '../ledger/ledger.service';
import {
  lockSessions,
  raiseLeases,
  type StalePrice,
  selectDueSegments,
  selectMembersToPlan,
  writeDueSegments,
} from './tick.repository';
import type { TickReport } from './tick.service';

/** A batch is a small part of every table: by index, the cost of a session stays the same however many there are. */
export async function setBatchLimits(tx: Tx): Promise<void> {
  await sql`set local statement_timeout = 60000`.execute(tx);
  await sql`set local idle_in_transaction_session_timeout = 60000`.execute(tx);
  await sql`set local enable_seqscan = off`.execute(tx);
}

/** Closes `most` due segments and extends low leases of the members, set-based; returns those who have to be planned one by one. */
export async function runBatch(
  ledger: LedgerService,
  tx: Tx,
  due: readonly string[],
  stale: readonly StalePrice[],
  most: number,
): Promise<{ toPlan: string[]; part: Partial<TickReport> }> {
  await setBatchLimits(tx);
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
    most,
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
    toPlan: [...toPlan].sort(),
    part: { ...segments, leases, wallets: plain.length, skippedWallets: due.length - wallets.length },
  };
}

async function closeDueSegments(
  ledger: LedgerService,
  tx: Tx,
  memberIds: string[],
  at: Date,
  most: number,
): Promise<{ segments: number; chargedMicro: bigint }> {
  const due = most > 0 ? await selectDueSegments(tx, memberIds, at, most) : [];
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
