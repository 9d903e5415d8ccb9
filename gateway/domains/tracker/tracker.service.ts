import type { Pool } from 'pg';
import type { Db } from '../../db/client';
import { createSharedLimit } from '../../plugins/rateLimitStore';
import { invalidFields, Refusal } from '../../refusal';
import { deleteOldEvents, insertBatch } from './tracker.repository';
import { problemsOf, type TrackedBatch } from './tracker.rules';

/** What the gateway itself sees of a batch; nothing of it is kept but whether somebody was signed in. */
export interface TrackedVisit {
  /** As limits count it: an IPv6 address by its /64. */
  address: string;
  /** False where the address says nothing about who asks; then only the limit over all holds. */
  isAddressTelling: boolean;
  isSignedIn: boolean;
  /** The browser asks for no tracking. */
  isDeclined: boolean;
}

/** Batches a minute: a class behind one address still fits, and nobody fills the disk alone or together. */
const PER_ADDRESS = { name: 'track', points: 120, seconds: 60 };
const OVER_ALL = { name: 'track-all', points: 3_000, seconds: 60 };
/** How long events are kept. */
export const EVENT_DAYS = 90;

export type TrackerService = ReturnType<typeof createTrackerService>;

/** Keeps what visits tell of their pages, without who they are. */
export function createTrackerService({ db, pool, config }: { db: Db; pool: Pool; config: { isTrackerOn: boolean } }) {
  const perAddress = createSharedLimit(pool, PER_ADDRESS);
  const overAll = createSharedLimit(pool, OVER_ALL);

  async function admit({ address, isAddressTelling }: TrackedVisit): Promise<void> {
    const seconds = (isAddressTelling ? await perAddress.consume(address) : 0) || (await overAll.consume('all'));
    if (seconds > 0) throw new Refusal('TOO_MANY_REQUESTS', { params: { seconds }, retryAfterSeconds: seconds });
  }

  return {
    /**
     * Keeps a batch and answers how many of its events; none where tracking is off or declined. Refuses with `INVALID_INPUT` for an
     * event that tells too little or too much for its kind, and with `TOO_MANY_REQUESTS`.
     */
    async recordBatch(batch: TrackedBatch, visit: TrackedVisit): Promise<{ accepted: number }> {
      const problems = problemsOf(batch);
      if (problems.length > 0) throw invalidFields(problems);
      if (!config.isTrackerOn || visit.isDeclined) return { accepted: 0 };
      await admit(visit);
      await insertBatch(db, batch, visit.isSignedIn);
      return { accepted: batch.events.length };
    },

    /** Forgets events past their time; their whole months are dropped beside it. */
    deleteForgotten: () => deleteOldEvents(db, EVENT_DAYS),
  };
}
