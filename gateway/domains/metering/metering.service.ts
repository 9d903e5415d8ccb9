import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../clock';
import { type Db, readNow } from '../../db/client';
import type { LedgerService } from '../ledger/ledger.service';
import { availableMicro } from '../ledger/lot.rules';
import { runway } from './lease.rules';
import { selectOpenSessions } from './meter.repository';
import { accruedOf } from './meter.rules';
import type { NoteMeter } from './meterNotice';
import { createSessionService } from './session.service';
import { settle } from './settle.rules';
import { createSettlementService } from './settlement.service';
import { createTickService, type PriceOf } from './tick.service';

export type MeteringService = ReturnType<typeof createMeteringService>;

/**
 * Charges labs for the milliseconds their engine saw them run, out of holds taken ahead: a member can neither overdraw nor be
 * charged for unseen time. `priceOf` is the catalogue's present price of a spec; `note` writes what its
 * member is told of.
 */
export function createMeteringService(deps: {
  db: Db;
  clock: Clock;
  ledger: LedgerService;
  priceOf: PriceOf;
  note: NoteMeter;
  log: FastifyBaseLogger;
  /** How many segments a pass of the meter closes at most. */
  segmentsAPass?: number | undefined;
}) {
  const { db, ledger } = deps;
  const settlement = createSettlementService({ ledger });

  /** One consistent look at wallet, lots and open sessions. */
  function look(memberId: string) {
    return db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (tx) => {
        const meters = await selectOpenSessions(tx, memberId);
        const at = await readNow(tx);
        const lots = await ledger.lotsOf(tx, memberId);
        return { wallet: await ledger.readWallet(tx, memberId), meters, lots, atMs: at.getTime() };
      });
  }

  /** The whole position at one instant; its lots are as they stand once what is accrued is burnt. */
  async function getPosition(memberId: string) {
    const { wallet, meters, lots, atMs } = await look(memberId);
    return {
      at: new Date(atMs),
      postedMicro: wallet.posted,
      heldMicro: wallet.held,
      accruedMicro: accruedOf(meters),
      availableMicro: availableMicro(wallet, lots, atMs),
      lots: settle(meters, lots).lots,
      meters,
      ...runway({ meters, lots, atMs }),
    };
  }

  /** Posted, what running labs have used of it and not been charged yet, and what is held. Throws when there is no wallet. */
  async function getBalance(memberId: string): Promise<{ postedMicro: bigint; accruedMicro: bigint; heldMicro: bigint }> {
    const { wallet, meters } = await look(memberId);
    return { postedMicro: wallet.posted, accruedMicro: accruedOf(meters), heldMicro: wallet.held };
  }

  async function lookAhead(memberId: string) {
    return runway(await look(memberId));
  }

  /** How long the balance lasts if every running lab runs on. */
  async function getRunway(
    memberId: string,
  ): Promise<{ burnMicroPerHour: bigint; runningLabs: number; lastsUntil: Date | null; runwayMs: number | null }> {
    const { lastsUntilMs, ...ahead } = await lookAhead(memberId);
    return { ...ahead, lastsUntil: lastsUntilMs === null ? null : new Date(lastsUntilMs) };
  }

  return {
    ...createSessionService({ db, ledger, settlement, log: deps.log }),
    ...createTickService({ ...deps, settlement, getRunway: lookAhead }),
    settleMember: settlement.settleMember,
    expireLotsOf: settlement.expireLotsOf,
    expireIdleLots: settlement.expireIdleLots,
    getPosition,
    getBalance,
    getRunway,
  };
}
