import type { FastifyBaseLogger } from 'fastify';
import { type Db, inTransaction, readNow } from '../db/client';
import type { LedgerService } from '../domains/ledger/ledger.service';
import type { MembershipService } from '../domains/membership/membership.service';
import { createLoop, type Loop } from './loop';

const EVERY_MS = 15_000;
/** Members whose wallets one transaction holds: each may have open labs to settle first. */
const BATCH_MEMBERS = 50;
/** What one look takes up; the rest follows at once. */
const LOOK_MEMBERS = 1_000;

export interface GrantReport {
  members: number;
  grants: number;
}

/**
 * Ends packages whose time is over, begins what waited and makes the monthly grants that are due: many members at once, those somebody
 * works on in the next run. A batch is one transaction and every grant is posted once for its key, so that a run may be cut anywhere, come
 * late or run twice. One member's failure leaves the others.
 */
export function createGrantMembershipsLoop(deps: {
  db: Db;
  ledger: Pick<LedgerService, 'lockFreeWallets'>;
  membership: Pick<MembershipService, 'membersDue' | 'advance'>;
  log: FastifyBaseLogger;
}): Loop<GrantReport> {
  const { db, ledger, membership, log } = deps;

  async function advanceBatch(memberIds: readonly string[], report: GrantReport): Promise<void> {
    const done = await inTransaction(db, async (tx) => {
      const locked = (await ledger.lockFreeWallets(tx, memberIds)).map((wallet) => wallet.memberId);
      return { members: locked.length, grants: await membership.advance(tx, locked) };
    });
    report.members += done.members;
    report.grants += done.grants;
  }

  /** A batch that fails as a whole is done member by member, so that it is known whose fault it is. */
  async function advanceTogether(memberIds: readonly string[], report: GrantReport): Promise<unknown[]> {
    try {
      await advanceBatch(memberIds, report);
      return [];
    } catch (err) {
      log.warn({ err, members: memberIds.length }, 'packages of many members are advanced one by one');
    }
    const failures: unknown[] = [];
    for (const memberId of memberIds) {
      try {
        await advanceBatch([memberId], report);
      } catch (err) {
        log.error({ err, memberId }, 'packages of a member were not advanced');
        failures.push(err);
      }
    }
    return failures;
  }

  return createLoop({
    name: 'grantMemberships',
    everyMs: EVERY_MS,
    log,
    run: async () => {
      const report: GrantReport = { members: 0, grants: 0 };
      const failures: unknown[] = [];
      let before = -1;
      // While a look is full there may be more; one that got nowhere leaves the rest to the next run.
      for (let found = LOOK_MEMBERS; found === LOOK_MEMBERS && report.members > before; ) {
        before = report.members;
        const due = await membership.membersDue(await readNow(db), LOOK_MEMBERS);
        found = due.length;
        for (let from = 0; from < due.length; from += BATCH_MEMBERS) {
          failures.push(...(await advanceTogether(due.slice(from, from + BATCH_MEMBERS), report)));
        }
      }
      if (failures.length > 0) throw new AggregateError(failures, 'packages were not advanced');
      return report;
    },
  });
}
