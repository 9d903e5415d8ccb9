import type { Tx } from '../../db/client';
import { dcuFromMicro } from '../../dcu';
import type { MeterNotice, NoteMeter } from '../metering/meterNotice';
import type { TickReport } from '../metering/tick.service';
import type { TimelineEntry, WorkshopStateService } from '../workshop/workshopState.service';

/** Writes what the meter tells into the timelines of the workshops it concerns, in the meter's own transaction. */
export function createMeterNoteWriter({ states }: { states: WorkshopStateService }): NoteMeter {
  return async (tx, notices) => {
    if (notices.length === 0) return;
    const concerned = await workshopsOf(
      tx,
      notices.map(({ sessionId }) => sessionId),
    );
    const workshops = new Map(concerned.map((row) => [row.sessionId, row]));
    for (const notice of notices) {
      const row = workshops.get(notice.sessionId);
      if (!row) continue;
      const { sessionId, workshopId, state } = row;
      const { reason } = notice;
      await states.note(tx, {
        workshopId,
        sessionId,
        from: state,
        to: state,
        reason,
        actor: 'system',
        evidence: evidenceOf(notice),
      });
    }
  };
}

/** What follows from a pass of the meter: raised leases are told to the engine at once. */
export function createMeterNoticeService({ kick }: { kick: () => void }) {
  return {
    async noteTick(report: TickReport): Promise<void> {
      if (report.leases.length > 0) kick();
    },
  };
}

function evidenceOf(notice: MeterNotice): NonNullable<TimelineEntry['evidence']> {
  if (notice.reason === 'RUNWAY_LOW') return { runwayMs: notice.runwayMs };
  const { fromMicroPerHour, toMicroPerHour } = notice;
  const rates = { fromDcuPerHour: dcuFromMicro(fromMicroPerHour), dcuPerHour: dcuFromMicro(toMicroPerHour) };
  return notice.reason === 'PRICE_CHANGED' ? rates : { ...rates, appliesInMs: notice.appliesInMs };
}

function workshopsOf(tx: Tx, sessionIds: readonly string[]) {
  return tx
    .selectFrom('labSession')
    .innerJoin('workshop', 'workshop.id', 'labSession.workshopId')
    .select(['labSession.id as sessionId', 'workshop.id as workshopId', 'workshop.state'])
    .where('labSession.id', 'in', [...sessionIds])
    .execute();
}
