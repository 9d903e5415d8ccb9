import type { WorkshopState } from '../../contract/workshopStates';
import { type Db, inTransaction } from '../../db/client';
import { dcuFromMicro } from '../../dcu';
import type { TickReport } from '../metering/tick.service';
import type { TimelineEntry, WorkshopStateService } from '../workshop/workshopState.service';

type Notice = Pick<TimelineEntry, 'reason' | 'evidence'> & { sessionId: string };

/** What the meter tells, written into the timelines of the workshops it concerns: short runways and new prices. */
export function createMeterNoticeService({ db, states, kick }: { db: Db; states: WorkshopStateService; kick: () => void }) {
  return {
    async noteTick(report: TickReport): Promise<void> {
      const warned = report.warnings.flatMap(({ sessionIds, runwayMs }) =>
        sessionIds.map((sessionId) => ({ sessionId, reason: 'RUNWAY_LOW' as const, evidence: { runwayMs: Math.round(runwayMs) } })),
      );
      const repriced = report.rateChanges.map(({ sessionId, fromMicroPerHour, toMicroPerHour }) => ({
        sessionId,
        reason: 'PRICE_CHANGED' as const,
        evidence: { fromDcuPerHour: dcuFromMicro(fromMicroPerHour), dcuPerHour: dcuFromMicro(toMicroPerHour) },
      }));
      await write([...warned, ...repriced]);
      if (report.leases.length > 0) kick();
    },
  };

  async function write(notices: readonly Notice[]) {
    if (notices.length === 0) return;
    const open = new Map((await workshopsOf(notices.map(({ sessionId }) => sessionId))).map((row) => [row.sessionId, row]));
    await inTransaction(db, async (tx) => {
      for (const { sessionId, reason, evidence } of notices) {
        const row = open.get(sessionId);
        if (!row) continue;
        const { workshopId, state } = row;
        await states.note(tx, {
          workshopId,
          sessionId,
          from: state,
          to: state,
          reason,
          actor: 'system',
          ...(evidence ? { evidence } : {}),
        });
      }
    });
  }

  async function workshopsOf(
    sessionIds: readonly string[],
  ): Promise<{ sessionId: string; workshopId: string; state: WorkshopState }[]> {
    return db
      .selectFrom('labSession')
      .innerJoin('workshop', 'workshop.id', 'labSession.workshopId')
      .select(['labSession.id as sessionId', 'workshop.id as workshopId', 'workshop.state'])
      .where('labSession.id', 'in', [...sessionIds])
      .execute();
  }
}
