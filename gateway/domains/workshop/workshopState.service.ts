import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { EventReason, StopReason, WorkshopState } from '../../contract/workshopStates';
import type { Tx } from '../../db/client';
import type { FailureCode } from '../../locales/workshopWords';
import { canMove } from './workshop.rules';

/** Why a workshop is in its state, as stored; the page's words are made from it. */
export type StateReason = '' | 'LEASE' | 'WAITS_FOR_ENGINE' | 'WAITS_FOR_EARLIER_RUN' | 'DELETE_FAILED' | StopReason;
export type Actor = 'member' | 'system' | 'operator';

export interface TimelineEntry {
  workshopId: string;
  sessionId: string | null;
  from: WorkshopState | null;
  to: WorkshopState;
  reason: EventReason;
  actor: Actor;
  evidence?: Readonly<Record<string, string | number>>;
}

export interface Move extends TimelineEntry {
  from: WorkshopState;
  generation: number;
  stateReason?: StateReason;
  desired?: 'stopped' | 'running' | 'deleted';
  /** The run that begins here; without it the generation stays. */
  nextGeneration?: number;
  failure?: { code: FailureCode; isRetryable: boolean };
}

/** A stop nobody asked for, said before. */
interface Announcement extends TimelineEntry {
  sessionId: string;
  evidence: { cause: string; stopsInMs: number };
}

export type WorkshopStateService = ReturnType<typeof createWorkshopStateService>;

/** The one place a workshop's state is written, always with its event. */
export function createWorkshopStateService() {
  return {
    /**
     * Compare-and-set: moves a workshop that still is in `from` and of `generation`, and says whether it did. A loop or gateway
     * that looks at an old picture therefore changes nothing.
     */
    async move(tx: Tx, move: Move): Promise<boolean> {
      if (!canMove(move.from, move.to)) throw new RangeError(`a workshop cannot go from ${move.from} to ${move.to}`);
      const moved = await tx
        .updateTable('workshop')
        .set({
          state: move.to,
          stateReason: move.stateReason ?? '',
          stateChangedAt: sql<Date>`app_now()`,
          failureCode: move.failure?.code ?? null,
          failureHint: null,
          isRetryable: move.failure?.isRetryable ?? null,
          ...(move.desired ? { desired: move.desired } : {}),
          ...(move.nextGeneration === undefined ? {} : { generation: move.nextGeneration }),
        })
        .where('id', '=', move.workshopId)
        .where('state', '=', move.from)
        .where('generation', '=', move.generation)
        .returning('id')
        .executeTakeFirst();
      if (!moved) return false;
      await note(tx, move);
      return true;
    },

    /** Writes an event that changes no state. */
    note,

    /**
     * Announces a stop by a WARNING, unless this run has one of the same cause already, since it was last in use where that counts; after the
     * limit was moved it is said again. True once the moment that was announced has come.
     */
    async announceStop(tx: Tx, entry: Announcement, since: Date | null): Promise<boolean> {
      const { rows } = await sql<{ isDue: boolean }>`
        select e.at + (e.evidence->>'stopsInMs')::float8 * interval '1 millisecond' <= app_now() + interval '1 second' as is_due
        from workshop_event e where e.workshop_id = ${entry.workshopId} and e.session_id = ${entry.sessionId}
          and e.reason = 'WARNING' and e.evidence->>'cause' = ${entry.evidence.cause} and e.at >= coalesce(${since}::timestamptz, '-infinity')
          and not exists (select from workshop_event m where m.workshop_id = e.workshop_id and m.at >= e.at
            and (m.reason = 'EXTENDED' or (m.reason = 'UPDATED' and jsonb_exists(m.evidence, 'maxHours')))) order by e.at limit 1`.execute(
        tx,
      );
      const [announced] = rows;
      if (!announced) await note(tx, entry);
      return announced?.isDue ?? false;
    },

    /** Writes an event unless this session has one of the same reason already. */
    async noteOnce(tx: Tx, entry: TimelineEntry & { sessionId: string }): Promise<boolean> {
      const earlier = await tx
        .selectFrom('workshopEvent')
        .select('id')
        .where('workshopId', '=', entry.workshopId)
        .where('sessionId', '=', entry.sessionId)
        .where('reason', '=', entry.reason)
        .limit(1)
        .executeTakeFirst();
      if (earlier) return false;
      await note(tx, entry);
      return true;
    },
  };
}

async function note(tx: Tx, entry: TimelineEntry): Promise<void> {
  await tx
    .insertInto('workshopEvent')
    .values({
      id: uuidv7(),
      workshopId: entry.workshopId,
      sessionId: entry.sessionId,
      fromState: entry.from,
      toState: entry.to,
      reason: entry.reason,
      actor: entry.actor,
      evidence: JSON.stringify(entry.evidence ?? {}),
    })
    .execute();
}
