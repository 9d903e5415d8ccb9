import type { FastifyBaseLogger } from 'fastify';
import { type Db, inTransaction, readNow } from '../db/client';
import type { LedgerService } from '../domains/ledger/ledger.service';
import type { MeteringService } from '../domains/metering/metering.service';
import { failpoint } from '../failpoint';
import { createLoop, type Loop } from './loop';

const EVERY_MS = 15_000;
const BATCH_MEMBERS = 1_000;

export interface ExpiryReport {
  members: number;
  expiredMicro: bigint;
}

/**
 * Takes expired lots to breakage: many members at once where nobody runs a lab, else a member at a time, once their labs were seen past the
 * expiry. One member's failure leaves the others.
 */
export function createExpireLotsLoop(deps: {
  db: Db;
  ledger: LedgerService;
  metering: MeteringService;
  log: FastifyBaseLogger;
}): Loop<ExpiryReport> {
  const { db, ledger, metering, log } = deps;
  return createLoop({
    name: 'expireLots',
    everyMs: EVERY_MS,
    log,
    run: async () => {
      const report: ExpiryReport = { members: 0, expiredMicro: 0n };
      const failures: unknown[] = [];
      const members = await ledger.membersWithExpiredLots(await readNow(db));
      const settled = new Set<string>();
      for (let from = 0; from < members.length; from += BATCH_MEMBERS) {
        const batch = members.slice(from, from + BATCH_MEMBERS);
        try {
          const { settled: idle, expiredMicro } = await inTransaction(db, async (tx) => {
            const gone = await metering.expireIdleLots(tx, batch);
            await failpoint('expire.lots');
            return gone;
          });
          for (const memberId of idle) settled.add(memberId);
          report.expiredMicro += expiredMicro;
        } catch (err) {
          log.warn({ err, members: batch.length }, 'expired lots of many members are settled one by one');
        }
      }
      report.members = settled.size;
      for (const memberId of members.filter((candidate) => !settled.has(candidate))) {
        try {
          report.expiredMicro += await inTransaction(db, (tx) => metering.expireLotsOf(tx, memberId));
          report.members += 1;
        } catch (err) {
          log.error({ err, memberId }, 'expired lots of a member were not settled');
          failures.push(err);
        }
      }
      if (failures.length > 0) throw new AggregateError(failures, 'expired lots were not settled');
      return report;
    },
  });
}
