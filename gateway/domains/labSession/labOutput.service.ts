import type { FastifyBaseLogger } from 'fastify';
import type { Catalogue } from '../../catalog/catalogue';
import type { WorkshopLifeCalls } from '../../contract/workshopLife';
import type { Db } from '../../db/client';
import { type ComputeEngine, EngineRefused, EngineUnreachable } from '../../drivers/compute/computeEngine';
import { wordOf } from '../../locales/workshopWords';
import { Refusal } from '../../refusal';
import { LEAST_SAMPLES } from '../workshop/advice.rules';
import type { Viewer } from '../workshop/neighbours';
import { findRunOutput, insertOutput, type RunOutput, updateUsed } from './labOutput.repository';
import { textOfOutput } from './output.rules';

const TAIL_BYTES = 262_144;

interface Deps {
  db: Db;
  engine: ComputeEngine;
  catalogue: Pick<Catalogue, 'findSpec'>;
  /** Throws NOT_FOUND for a workshop that is not the member's. */
  requireWorkshop: (memberId: string, workshopId: string) => Promise<void>;
  log: FastifyBaseLogger;
}

type Ask = WorkshopLifeCalls['GET /gateway/workshop/logs']['query'];
type Logs = WorkshopLifeCalls['GET /gateway/workshop/logs']['data'];

export type LabOutputService = ReturnType<typeof createLabOutputService>;

/** What runs printed and used: asked of the engine while they live, kept when they end. */
export function createLabOutputService(deps: Deps) {
  const { db, engine, catalogue, log } = deps;

  return {
    /**
     * Throws NOT_FOUND, and of a run that lives ENGINE_ELSEWHERE and ENGINE_UNAVAILABLE.
     */
    async logs(viewer: Viewer, { workshopId, sessionId }: Ask): Promise<Logs> {
      await deps.requireWorkshop(viewer.memberId, workshopId);
      const run = await findRunOutput(db, { memberId: viewer.memberId, workshopId, sessionId });
      if (!run && sessionId !== undefined) throw new Refusal('NOT_FOUND');
      if (!run) return { sessionId: null, text: '', isCut: false, isLive: false, endedAt: null };
      const { tail, isCut } = run.endedAt === null ? await readLive(deps, viewer, run) : keptOf(run);
      return {
        sessionId: run.sessionId,
        text: textOfOutput(tail, isCut),
        isCut,
        isLive: run.endedAt === null,
        endedAt: run.endedAt?.toISOString() ?? null,
      };
    },

    /** Keeps what an ended run printed and used, before its engine forgets it. What cannot be kept is logged and holds nothing up. */
    async keep({ ref, sessionId, specId }: { ref: string; sessionId: string; specId: string }): Promise<void> {
      try {
        const cpuCores = catalogue.findSpec(specId)?.cpuCores;
        if (cpuCores !== undefined) await updateUsed(db, sessionId, { cpuCores, leastSamples: LEAST_SAMPLES });
        const { tail, isCut } = await readTail(engine, ref);
        if (tail.byteLength > 0) await insertOutput(db, { sessionId, tail: Buffer.from(tail), isCut });
      } catch (err) {
        log.error({ err, sessionId }, 'what a run printed and used could not be kept');
      }
    },
  };
}

function keptOf({ tail, isCut }: RunOutput): { tail: Uint8Array; isCut: boolean } {
  return { tail: tail ?? new Uint8Array(), isCut: isCut ?? false };
}

/** Nothing of a run was printed before its engine has it. */
async function readLive({ engine }: Deps, { language }: Viewer, run: RunOutput): Promise<{ tail: Uint8Array; isCut: boolean }> {
  if (run.engineInstanceId !== engine.instanceId) throw new Refusal('ENGINE_ELSEWHERE');
  if (run.engineRef === null || run.startedAt === null) return keptOf(run);
  try {
    return await readTail(engine, run.engineRef);
  } catch (error) {
    if (!(error instanceof EngineUnreachable || error instanceof EngineRefused)) throw error;
    throw new Refusal('ENGINE_UNAVAILABLE', { params: { reason: wordOf('engineUnreachable', language) } });
  }
}

async function readTail(engine: ComputeEngine, ref: string): Promise<{ tail: Uint8Array; isCut: boolean }> {
  const tail = await engine.output(ref, { tailBytes: TAIL_BYTES });
  return { tail: tail.subarray(0, TAIL_BYTES), isCut: tail.byteLength >= TAIL_BYTES };
}
