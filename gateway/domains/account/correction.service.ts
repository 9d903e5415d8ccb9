import { type Db, inTransaction, readNow, type Tx } from '../../db/client';
import type { AuditService } from '../audit/audit.service';
import type { LedgerService } from '../ledger/ledger.service';
import { availableMicro, burn, endOf, reserveFromLongest } from '../ledger/lot.rules';
import type { PointsService } from '../points/points.service';

const DAY_MS = 86_400_000;

/** Something an operator changes by hand, for a reason and once for their reference. */
interface Asked {
  memberId: string;
  /** The operator's own reference: a second time under it nothing more happens to this member. */
  ref: string;
  /** Why: the member reads it beside the change, and it stands in the audit. */
  reason: string;
  operator: string;
}

/** What came of it. `before`: under this reference this was done before, and nothing now. */
export interface Correction {
  isNew: boolean;
  amount: bigint;
}

/** More is to be taken than the member has free; `free` is what there is. */
export class NotFree extends Error {
  override readonly name = 'NotFree';
  constructor(readonly free: bigint) {
    super(`only ${free} is free`);
  }
}

export interface CorrectionDeps {
  db: Db;
  ledger: LedgerService;
  points: Pick<PointsService, 'adjust' | 'balanceOf'>;
  audit: AuditService;
}

export type CorrectionService = ReturnType<typeof createCorrectionService>;

/** Grants and corrections by operators: through the same books and locks as everything else, each with its audit entry. */
export function createCorrectionService({ db, ledger, points, audit }: CorrectionDeps) {
  /** Does it under the wallet's lock unless it was done, and writes the audit entry with it. */
  function once(ask: Asked, action: string, idemKey: string, change: (tx: Tx) => Promise<bigint>): Promise<Correction> {
    return inTransaction(db, async (tx) => {
      await ledger.lockWallet(tx, ask.memberId);
      const before = await ledger.amountUnder(tx, idemKey);
      if (before !== undefined) return { isNew: false, amount: before };
      const amount = await change(tx);
      const entry = { action, subject: ask.memberId, result: 'OK', note: `${ask.ref}: ${ask.reason}` } as const;
      await audit.write({ ...entry, actor: { kind: 'operator', name: ask.operator } }, tx);
      return { isNew: true, amount };
    });
  }

  const keyOf = ({ ref, memberId }: Asked) => `operator:dcu:${ref}:${memberId}`;
  const postingOf = (ask: Asked) => ({
    ...{ memberId: ask.memberId, idemKey: keyOf(ask), refType: 'operator', refId: ask.ref, note: ask.reason, actor: ask.operator },
  });

  async function add(tx: Tx, ask: Asked, what: { micro: bigint; kind: 'grant' | 'adjust'; days: number | null }): Promise<bigint> {
    const { micro, kind, days } = what;
    const expiresAt = days === null ? null : new Date((await readNow(tx)).getTime() + days * DAY_MS);
    await ledger.grantDcu(tx, { ...postingOf(ask), micro, kind, source: 'gift', expiresAt });
    return micro;
  }

  /** Takes in burn order what running labs are not promised. */
  async function take(tx: Tx, ask: Asked, micro: bigint): Promise<bigint> {
    await ledger.settleMember(tx, ask.memberId);
    const wallet = await ledger.lockWallet(tx, ask.memberId);
    const atMs = (await readNow(tx)).getTime();
    const lots = await ledger.lotsOf(tx, ask.memberId);
    const free = availableMicro(wallet, lots, atMs);
    if (micro > free) throw new NotFree(free);
    const valid = lots.filter((lot) => endOf(lot) > atMs);
    const { uses } = burn(reserveFromLongest(valid, wallet.held), micro, atMs, atMs);
    await ledger.withdrawDcu(tx, { ...postingOf(ask), kind: 'adjust', uses });
    return -micro;
  }

  return {
    /** Gives DCU that last `days`, or for ever. */
    grantDcu: (ask: Asked & { micro: bigint; days: number | null }): Promise<Correction> =>
      once(ask, 'dcu grant', keyOf(ask), (tx) => add(tx, ask, { ...ask, kind: 'grant' })),

    /** Adds DCU that never end, or (below nothing) takes DCU. Throws `NotFree`, in micro-DCU. */
    adjustDcu: (ask: Asked & { micro: bigint }): Promise<Correction> =>
      once(ask, 'dcu adjust', keyOf(ask), (tx) =>
        ask.micro > 0n ? add(tx, ask, { micro: ask.micro, kind: 'adjust', days: null }) : take(tx, ask, -ask.micro),
      ),

    /** Adds or (below nothing) takes points. Throws `NotFree`, in points. */
    adjustPoints: (ask: Asked & { points: bigint }): Promise<Correction> => {
      const ref = `${ask.ref}:${ask.memberId}`;
      return once(ask, 'points adjust', `adjust:points:${ref}`, async (tx) => {
        const { points: held, held: setAside } = await points.balanceOf(tx, ask.memberId);
        if (held - setAside + ask.points < 0n) throw new NotFree(held - setAside);
        await points.adjust(tx, { ...ask, ref });
        return ask.points;
      });
    },
  };
}
