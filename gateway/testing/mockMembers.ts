import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { LevelFlag } from '../contract/entitlements';
import type { Db } from '../db/client';
import { buildMember } from './factories';

const DCU = 1_000_000n;
/** Just beyond the ten minutes a start needs, on the smallest spec. */
const MINUTES_MICRO = 50_000n;

interface MockMember {
  username: string;
  /** What there is to see; the panel has the words. */
  kind: string;
  dcuMicro: bigint;
  flags?: { isStudent?: true; isRealName?: true };
  period?: { packageName: string; levelFlag: LevelFlag; startedDaysAgo: number; days: number };
  /** Workshops made for the member; `isRunning` starts the first. */
  labs?: { names: readonly string[]; isRunning: boolean };
  /** Bought this and that, by the calls a member makes. */
  hasPurchases?: true;
}

const paged = Array.from({ length: 30 }, (_, index) => (index % 2 ? `线性代数 ${index + 1}` : `Linear algebra ${index + 1}`));
const yearly = (packageName: string, levelFlag: LevelFlag) => ({ packageName, levelFlag, startedDaysAgo: 30, days: 365 });

/** The states a visitor of mock mode wants to see: each is a member, never a special answer. */
export const mockMembers: readonly MockMember[] = [
  { username: 'demo', kind: 'plain', dcuMicro: 100n * DCU },
  { username: 'demo-student', kind: 'student', dcuMicro: 100n * DCU, flags: { isStudent: true } },
  { username: 'demo-verified', kind: 'verified', dcuMicro: 100n * DCU, flags: { isRealName: true } },
  { username: 'demo-standard', kind: 'level1', dcuMicro: 200n * DCU, period: yearly('Standard', 1) },
  { username: 'demo-pro', kind: 'level2', dcuMicro: 1000n * DCU, period: yearly('Pro', 2) },
  { username: 'demo-max', kind: 'level3', dcuMicro: 5000n * DCU, period: yearly('Max', 3) },
  { username: 'demo-empty', kind: 'empty', dcuMicro: 0n },
  {
    username: 'demo-expired',
    kind: 'expired',
    dcuMicro: 40n * DCU,
    period: { packageName: 'Pro', levelFlag: 2, startedDaysAgo: 32, days: 31 },
  },
  { username: 'demo-running', kind: 'running', dcuMicro: 100n * DCU, labs: { names: ['图像分类', 'Notes'], isRunning: true } },
  { username: 'demo-ending', kind: 'ending', dcuMicro: MINUTES_MICRO, labs: { names: ['Night run'], isRunning: true } },
  { username: 'demo-buyer', kind: 'buyer', dcuMicro: 100n * DCU, hasPurchases: true },
  { username: 'demo-many', kind: 'many', dcuMicro: 5000n * DCU, period: yearly('Max', 3), labs: { names: paged, isRunning: true } },
];

/** Puts every member in a new database; their workshops are made by the gateway, which knows its engine. */
export async function seedMockMembers(db: Db): Promise<void> {
  for (const { username, dcuMicro, flags, period } of mockMembers) {
    const { memberId } = await buildMember(db, { username, remainDcuMicro: dcuMicro });
    if (flags) await db.updateTable('member').set(flags).where('id', '=', memberId).execute();
    if (!period) continue;
    const { packageName, levelFlag, startedDaysAgo, days } = period;
    await db
      .insertInto('membershipPeriod')
      .values({
        ...{ id: uuidv7(), memberId, packageName, levelFlag },
        startsAt: sql<Date>`app_now() - make_interval(days => ${startedDaysAgo})`,
        endsAt: sql<Date>`app_now() + make_interval(days => ${days - startedDaysAgo})`,
      })
      .execute();
  }
}
