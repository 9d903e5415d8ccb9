import type { StopReason } from '../../contract/workshopStates';
import type { Db, Tx } from '../../db/client';
import type { Meter, Viewer, Wallets } from './neighbours';
import type { WorkshopView } from './workshop.presenter';
import { findOpenSession, type LockedWorkshop, lockOpenWorkshops, type OpenRun, writeReason } from './workshop.repository';
import { requireAction } from './workshop.rules';
import { change, lockMine } from './workshopChange';
import type { WorkshopStateService } from './workshopState.service';
import type { WorkshopViewService } from './workshopView.service';

interface Deps {
  db: Db;
  wallets: Wallets;
  meter: Meter;
  states: WorkshopStateService;
  views: WorkshopViewService;
  kick: () => void;
  closeTerminals: (workshopId: string) => void;
}

export type WorkshopStopService = ReturnType<typeof createWorkshopStopService>;

/** Ending runs as their member asks. */
export function createWorkshopStopService(deps: Deps) {
  const { wallets, views } = deps;
  return {
    /** Throws NOT_FOUND, WORKSHOP_STATE_CONFLICT. */
    async stop(
      viewer: Viewer,
      { workshopId, isForced = false }: { workshopId: string; isForced?: boolean },
    ): Promise<WorkshopView> {
      const stopped = await change(deps, async (tx) => {
        // The wallet comes first in the lock order, and ending a session needs it.
        await wallets.lockWallet(tx, viewer.memberId);
        await stopLocked(deps, tx, await lockMine(tx, viewer, workshopId), isForced);
        return views.getChanged(tx, viewer, workshopId);
      });
      // Terminals know the id as the database writes it; a request may write it in capitals.
      deps.closeTerminals(stopped.workshopId);
      return stopped;
    },

    /** Every start takes the wallet's lock too, so what is asked for before this is stopped, and what comes after is not. */
    async stopAll({ memberId }: Viewer): Promise<{ stopping: number }> {
      const stopped = await change(deps, async (tx) => {
        await wallets.lockWallet(tx, memberId);
        const open = await lockOpenWorkshops(tx, memberId);
        for (const workshop of open) await stopLocked(deps, tx, workshop, false);
        return open;
      });
      for (const { id } of stopped) deps.closeTerminals(id);
      return { stopping: stopped.length };
    },
  };
}

async function stopLocked(deps: Deps, tx: Tx, workshop: LockedWorkshop, isForced: boolean): Promise<void> {
  const { state } = workshop;
  const open = await findOpenSession(tx, workshop.id);
  const reason = reasonOf(workshop, open, isForced);
  if (state === 'QUEUED' || state === 'LOST' || state === 'FAILED') {
    requireAction(state, 'stop');
    await endAtOnce(deps, tx, workshop, open, reason);
    return;
  }
  requireAction(state, isForced ? 'forceStop' : 'stop');
  const entry = { workshopId: workshop.id, from: state, actor: 'member', sessionId: open?.id ?? null } as const;
  const event = isForced ? 'STOP_FORCED' : 'STOP_REQUESTED';
  if (state === 'STOPPING') {
    await writeReason(tx, workshop.id, reason);
    await deps.states.note(tx, { ...entry, to: state, reason: event });
    return;
  }
  const wish = { generation: workshop.generation, desired: 'stopped', to: 'STOPPING', stateReason: reason } as const;
  await deps.states.move(tx, { ...entry, ...wish, reason: event });
}

/** Nothing runs that we can see: an engine that comes back with this lab has it stopped as an orphan, unbilled. */
async function endAtOnce(
  { meter, states }: Deps,
  tx: Tx,
  workshop: LockedWorkshop,
  open: OpenRun | undefined,
  stopReason: MembersReason,
): Promise<void> {
  const runningMs = Number(open?.observedMs ?? 0n);
  if (open) await meter.endSession(tx, { sessionId: open.id, runningMs, stopReason, exitCode: null });
  await states.move(tx, {
    workshopId: workshop.id,
    generation: workshop.generation,
    from: workshop.state,
    to: 'STOPPED',
    reason: stopReason,
    actor: 'member',
    desired: 'stopped',
    sessionId: open?.id ?? null,
    evidence: { runningMs },
  });
}

type MembersReason = Extract<StopReason, 'MEMBER' | 'FORCED' | 'CANCELLED'>;

/** What never ran was cancelled. */
function reasonOf({ state }: LockedWorkshop, open: OpenRun | undefined, isForced: boolean): MembersReason {
  if (isForced) return 'FORCED';
  return open && open.startedAt === null && state !== 'FAILED' ? 'CANCELLED' : 'MEMBER';
}
