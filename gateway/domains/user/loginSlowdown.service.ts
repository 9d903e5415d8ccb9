import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { type Db, inTransaction, readNow, type Tx } from '../../db/client';
import { Refusal } from '../../refusal';
import { accountSlowdown, addressSlowdown, delayMs, type Slowdown } from './loginSlowdown.rules';

export interface LoginTry {
  /** The member's id, or what was typed when nobody has that name: both are slowed alike. */
  account: string;
  ip: string;
  /** The owner has signed in from this address before. */
  isKnownAddress: boolean;
}

export type LoginSlowdownService = ReturnType<typeof createLoginSlowdownService>;

/** Makes guessing slow, per account and address, and never locks the owner out for good. Failures are forgotten after a day. */
export function createLoginSlowdownService({ db, installation }: { db: Db; installation: { hmacKey: Buffer } }) {
  const hashOf = (account: string) => createHmac('sha256', installation.hmacKey).update(`login\0${account}`).digest('base64url');
  const addressKey = ({ account, ip }: LoginTry) => `address:${hashOf(account)}:${ip}`;
  const accountKey = ({ account }: LoginTry) => `account:${hashOf(account)}`;

  return {
    /**
     * Admits a try and counts it as failed in advance, so that parallel guesses cannot all pass before the first is counted.
     * Refuses with `LOGIN_SLOWED` while the account must wait; a refused try counts for nothing.
     */
    async admitTry(attempt: LoginTry): Promise<void> {
      await inTransaction(db, async (tx) => {
        await countTry(tx, addressKey(attempt), addressSlowdown);
        if (!attempt.isKnownAddress) await countTry(tx, accountKey(attempt), accountSlowdown);
      });
    },

    /** The try was right: this address starts anew, and the account's count loses what this try had added in advance. */
    async forgetFailures(attempt: LoginTry): Promise<void> {
      await db.deleteFrom('loginSlowdown').where('key', '=', addressKey(attempt)).execute();
      if (attempt.isKnownAddress) return;
      await sql`
        update login_slowdown set failures = greatest(0, failures - 1), blocked_until = null
        where key = ${accountKey(attempt)}`.execute(db);
    },

    /** The owner has proven who they are in another way: nothing of what was tried before slows them. */
    async forgetAccount(tx: Tx, account: string): Promise<void> {
      const hash = hashOf(account);
      await tx
        .deleteFrom('loginSlowdown')
        .where((or) => or.or([or('key', '=', `account:${hash}`), sql<boolean>`starts_with(key, ${`address:${hash}:`})`]))
        .execute();
    },

    /** Removes what a day without failures has made void; returns how many rows. */
    async deleteForgotten(): Promise<number> {
      const deleted = await db
        .deleteFrom('loginSlowdown')
        .where('lastFailedAt', '<', sql<Date>`app_now() - interval '1 day'`)
        .executeTakeFirst();
      return Number(deleted.numDeletedRows);
    },
  };
}

async function countTry(tx: Tx, key: string, slowdown: Slowdown): Promise<void> {
  const { rows } = await sql<{ failures: number }>`
    insert into login_slowdown as slowdown (key, failures, last_failed_at) values (${key}, 1, app_now())
    on conflict (key) do update set
      failures = case when slowdown.last_failed_at < app_now() - interval '1 day' then 1 else slowdown.failures + 1 end,
      last_failed_at = app_now()
    where slowdown.blocked_until is null or slowdown.blocked_until <= app_now()
    returning failures`.execute(tx);
  const failures = rows[0]?.failures;
  if (failures === undefined) throw await slowed(tx, key);
  const waitMs = delayMs(failures, slowdown);
  if (waitMs === 0) return;
  await sql`update login_slowdown set blocked_until = app_now() + make_interval(secs => ${waitMs / 1000}) where key = ${key}`.execute(
    tx,
  );
}

async function slowed(tx: Tx, key: string): Promise<Refusal> {
  const row = await tx.selectFrom('loginSlowdown').select('blockedUntil').where('key', '=', key).executeTakeFirst();
  const waitMs = (row?.blockedUntil?.getTime() ?? 0) - (await readNow(tx)).getTime();
  return slowedRefusal(Math.max(1, Math.ceil(waitMs / 1000)));
}

export function slowedRefusal(seconds: number): Refusal {
  return new Refusal('LOGIN_SLOWED', { params: { seconds }, data: { retryAfterSeconds: seconds }, retryAfterSeconds: seconds });
}
