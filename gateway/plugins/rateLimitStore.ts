import type { Pool, QueryConfig } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { Refusal } from '../refusal';

export interface SharedLimit {
  /** Counts one against a key; 0 when it may go on, else the seconds until it may. */
  consume(key: string): Promise<number>;
  /** As `consume`, but counts nothing: for what is counted only once it has failed. */
  waitSeconds(key: string): Promise<number>;
  /** Counts one that is over already. */
  count(key: string): Promise<void>;
}

/**
 * A windowed counter in the table `rate_limit`: it holds over all gateways and restarts. A database that cannot be asked is an error,
 * never a free pass.
 */
export function createSharedLimit(
  pool: Pool,
  { name, points, seconds }: { name: string; points: number; seconds: number },
): SharedLimit {
  const limiter = new RateLimiterPostgres({
    // It reads back numbers only and calculates with them, where our pool would give bigint.
    storeClient: { query: (statement: QueryConfig) => pool.query({ ...statement, types: { getTypeParser: () => Number } }) },
    storeType: 'pool',
    tableName: 'rate_limit',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: name,
    points,
    duration: seconds,
  });
  return {
    async consume(key) {
      try {
        await limiter.consume(key);
        return 0;
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return secondsOf(refused);
        throw refused;
      }
    },
    async waitSeconds(key) {
      const counted = await limiter.get(key);
      return counted && counted.consumedPoints >= points ? secondsOf(counted) : 0;
    },
    async count(key) {
      await limiter.penalty(key);
    },
  };
}

function secondsOf({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}

/** Counts one against `key`. Refuses with `TOO_MANY_REQUESTS`. */
export async function consumeOrRefuse(limit: SharedLimit, key: string): Promise<void> {
  const seconds = await limit.consume(key);
  if (seconds > 0) throw tooManyRequests(seconds);
}

export function tooManyRequests(seconds: number): Refusal {
  return new Refusal('TOO_MANY_REQUESTS', { params: { seconds }, retryAfterSeconds: seconds });
}

/** Removes counters whose window is over. */
export async function deleteOldLimits(pool: Pool): Promise<void> {
  await pool.query('delete from rate_limit where expire < extract(epoch from clock_timestamp()) * 1000 - 3600000');
}
