import { sql } from 'kysely';
import type { Clock } from '../clock';
import { systemClock } from '../clock';
import { type Db, readNow } from '../db/client';

/** A clock that runs with the system's until it is set, and then stands still until it is moved. */
export interface TestClock extends Clock {
  set(at: Date): void;
}

export function createTestClock(): TestClock {
  let frozen: { atMs: number; monotonicMs: number } | null = null;
  return {
    nowMs: () => frozen?.atMs ?? systemClock.nowMs(),
    monotonicMs: () => frozen?.monotonicMs ?? systemClock.monotonicMs(),
    set(at) {
      const passedMs = Math.max(0, at.getTime() - this.nowMs());
      // Whole milliseconds, so that differences of frozen readings are exact.
      frozen = { atMs: at.getTime(), monotonicMs: Math.floor(this.monotonicMs()) + passedMs };
    },
  };
}

const clocks = new WeakMap<Db, TestClock>();

/** The in-process clock that follows the clock of this database. */
export function clockOf(db: Db): TestClock {
  const clock = clocks.get(db) ?? createTestClock();
  clocks.set(db, clock);
  return clock;
}

/** From now on the database's `app_now()` and its clock say `at`. */
export async function setTestNow(db: Db, at: Date): Promise<void> {
  await sql
    .raw(
      `create or replace function app_now() returns timestamptz language sql volatile parallel safe
       as $$ select timestamptz '${at.toISOString()}' $$`,
    )
    .execute(db);
  clockOf(db).set(at);
}

/** Moves a database's time on by `ms`; a clock that still ran is stopped there. */
export async function advance(db: Db, ms: number): Promise<Date> {
  const at = new Date((await readNow(db)).getTime() + ms);
  await setTestNow(db, at);
  return at;
}
