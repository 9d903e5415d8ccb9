import { sql } from 'kysely';
import { type Db, readNow, type Tx } from '../../db/client';
import { type Rights, rightsAt } from './membership.rules';

export type MembershipService = ReturnType<typeof createMembershipService>;

/** What a member's packages permit. */
export function createMembershipService({ db }: { db: Db }) {
  return {
    /** Package, level and expiry of the period in force; level 0 and empty texts without one. Refuses nothing. */
    async getRights(memberId: string, tx: Db | Tx = db): Promise<Rights> {
      const periods = await tx
        .selectFrom('membershipPeriod')
        .select(['packageName', 'levelFlag', 'startsAt', 'endsAt'])
        .where('memberId', '=', memberId)
        .where('endsAt', '>', sql<Date>`app_now()`)
        .orderBy('startsAt')
        .execute();
      // Most members have none, and a visitor's every page asks: no second query then.
      return periods.length === 0 ? rightsAt(new Date(0), []) : rightsAt(await readNow(tx), periods);
    },
  };
}
