import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../clock';
import { type ComputeEngine, EngineUnreachable, type Observed } from '../../drivers/compute/computeEngine';
import type { Evidence } from './reconcile.rules';

/** One look at the engine: a healthy, complete listing of our own instance, or for how long there has been none. */
export type Look = { kind: 'listing'; labs: readonly Observed[] } | { kind: 'none'; silentMs: number };

/** Remembers between passes what one look cannot say: how long the engine is silent and how often a lab was absent. */
export function createEngineWatch({
  engine,
  installationId,
  clock,
  log,
}: {
  engine: Pick<ComputeEngine, 'instanceId' | 'list' | 'health'>;
  installationId: string;
  clock: Clock;
  log: FastifyBaseLogger;
}) {
  let silentSinceMs: number | null = null;
  const absences = new Map<string, number>();

  function silent(why: string): Look {
    const nowMs = clock.monotonicMs();
    if (silentSinceMs === null) log.warn({ why }, 'the compute engine gives no evidence');
    silentSinceMs ??= nowMs;
    return { kind: 'none', silentMs: nowMs - silentSinceMs };
  }

  return {
    async look(): Promise<Look> {
      try {
        const listing = await engine.list();
        if (listing.instanceId !== engine.instanceId) return silent(`it is instance ${listing.instanceId}, not ours`);
        const health = await engine.health();
        if (!health.isHealthy) return silent(health.detail);
        if (silentSinceMs !== null) log.info('the compute engine answers again');
        silentSinceMs = null;
        return { kind: 'listing', labs: listing.labs.filter((lab) => lab.installationId === installationId) };
      } catch (error) {
        if (error instanceof EngineUnreachable) return silent(error.message);
        throw error;
      }
    },

    /** What a look says about one session; counts the absences of a lab that is not in it. */
    evidenceOn(look: Look, workshopId: string, sessionId: string | null): Evidence {
      if (look.kind === 'none') return look;
      const lab = look.labs.find((one) => one.sessionId === sessionId) ?? null;
      const isHomeBusy = look.labs.some(
        (one) => one.workshopId === workshopId && one.sessionId !== sessionId && one.state !== 'ended',
      );
      if (sessionId !== null) absences.set(sessionId, lab ? 0 : (absences.get(sessionId) ?? 0) + 1);
      return { kind: 'listing', lab, absences: sessionId === null ? 0 : (absences.get(sessionId) ?? 0), isHomeBusy };
    },

    /** Drops the memory of sessions that are no longer open. */
    keepOnly(sessionIds: ReadonlySet<string>): void {
      for (const sessionId of absences.keys()) if (!sessionIds.has(sessionId)) absences.delete(sessionId);
    },
  };
}

export type EngineWatch = ReturnType<typeof createEngineWatch>;
