import { v7 as uuidv7 } from 'uuid';
import type { Catalogue, Spec } from '../../catalog/catalogue';
import type { Tx } from '../../db/client';
import type { ComputeEngine } from '../../drivers/compute/computeEngine';
import { wordOf } from '../../locales/workshopWords';
import { Refusal } from '../../refusal';
import type { ImageService } from '../image/image.service';
import type { EngineInstanceService } from './engineInstance.service';
import type { Memberships, Meter, Proofs, Viewer } from './neighbours';
import { requireMayUseNetwork, wholeSetup } from './setup.rules';
import { openLabsOf, type SpecOfferService } from './specOffer.service';
import { type LockedWorkshop, listOpenLabs, sumStoredBytes } from './workshop.repository';
import { requireAction, requireStorage, requireWithinLevel } from './workshop.rules';
import type { WorkshopStateService } from './workshopState.service';

/** A gateway that has not said for this long that it lives does not take starts. */
const SILENT_AFTER_MS = 60_000;

/** What a start needs to know and must not ask under locks. */
export interface PreparedStart {
  spec: Spec;
  imageId: string;
  network: 'none' | 'egress';
}

/** What would be started, and where. */
interface StartAsk {
  specId: string;
  imageId: string;
  network: 'none' | 'egress';
  engineInstanceId: string;
}

export type WorkshopStartService = ReturnType<typeof createWorkshopStartService>;

/** The name an engine knows a run by; the same after every crash. */
export function engineRefOf(workshopId: string, generation: number): string {
  return `ws-${workshopId}-g${generation}`;
}

/** Starting a workshop, as one step of a larger transaction. */
export function createWorkshopStartService(deps: {
  instances: EngineInstanceService;
  engine: ComputeEngine;
  catalogue: Catalogue;
  images: ImageService;
  specOffer: SpecOfferService;
  memberships: Memberships;
  meter: Meter;
  states: WorkshopStateService;
  proofs: Proofs;
}) {
  const { instances, engine, catalogue, images, specOffer, memberships, meter, states, proofs } = deps;

  /** What only this gateway's own engine can answer; a lab elsewhere is judged by its own gateway when it starts it. */
  async function requireOffered(viewer: Viewer, ask: StartAsk): Promise<Spec> {
    if (ask.engineInstanceId !== engine.instanceId) {
      const silentMs = await instances.silenceOf(ask.engineInstanceId);
      if (silentMs === undefined || silentMs > SILENT_AFTER_MS) throw new Refusal('ENGINE_ELSEWHERE');
      return catalogue.specOf(ask.specId);
    }
    const spec = await specOffer.requireAvailable(ask.specId, viewer.language);
    await images.requireAvailable(ask.imageId, viewer.language);
    const health = await engine.health();
    if (!health.isHealthy) {
      throw new Refusal('ENGINE_UNAVAILABLE', { params: { reason: wordOf('engineUnreachable', viewer.language) } });
    }
    return spec;
  }

  /** Throws ENGINE_NO_NETWORK, ENGINE_UNAVAILABLE, and REAL_NAME_REQUIRED (LAB_NETWORK): nobody proves a name for what is not there. */
  async function requireNetwork(viewer: Viewer, ask: Pick<StartAsk, 'network' | 'engineInstanceId'>): Promise<void> {
    if (ask.network === 'none') return;
    if (ask.engineInstanceId === engine.instanceId) await specOffer.requireNetwork(viewer.language);
    requireMayUseNetwork(await proofs.getProofs(viewer.memberId));
  }

  return {
    requireNetwork,

    /**
     * Asks the engine before any lock is taken. Throws SPEC_UNAVAILABLE, IMAGE_UNAVAILABLE, ENGINE_UNAVAILABLE,
     * ENGINE_ELSEWHERE and what `requireNetwork` does.
     */
    async prepare(viewer: Viewer, ask: StartAsk): Promise<PreparedStart> {
      const spec = await requireOffered(viewer, ask);
      await requireNetwork(viewer, ask);
      return { spec, imageId: ask.imageId, network: ask.network };
    },

    /** Throws MEMBER_STORAGE_LIMIT; the caller holds the wallet lock. */
    async requireStorage(tx: Tx, memberId: string): Promise<void> {
      requireStorage((await memberships.getRights(memberId, tx)).ceilings, await sumStoredBytes(tx, memberId));
    },

    /**
     * Queues a new run; the caller holds the wallet and the workshop lock, under which the rights are read too. Throws
     * WORKSHOP_STATE_CONFLICT, MEMBER_STORAGE_LIMIT, the level's refusals and MEMBER_DCU_LIMIT.
     */
    async queue(tx: Tx, viewer: Viewer, workshop: LockedWorkshop, { spec, imageId, network }: PreparedStart): Promise<void> {
      requireAction(workshop.state, 'start');
      // Somebody changed it between our look and our lock: what was prepared is not what would start.
      const isPrepared = workshop.specId === spec.specId && workshop.imageId === imageId && workshop.network === network;
      if (!isPrepared) throw new Refusal('WORKSHOP_STATE_CONFLICT', { data: { state: workshop.state } });
      const { levelFlag, ceilings } = await memberships.getRights(viewer.memberId, tx);
      const open = openLabsOf(catalogue, await listOpenLabs(tx, viewer.memberId));
      // One lab always may run: without it nobody could delete what is too much.
      if (open.length > 0) requireStorage(ceilings, await sumStoredBytes(tx, viewer.memberId));
      const { custom } = catalogue.sale;
      requireWithinLevel({ levelFlag, ceilings, open, spec, specs: catalogue.specs, custom, language: viewer.language });
      const generation = workshop.generation + 1;
      const session = { sessionId: uuidv7(), workshopId: workshop.id, memberId: viewer.memberId, generation };
      await meter.openSession(tx, {
        ...session,
        engineInstanceId: workshop.engineInstanceId,
        engineRef: engineRefOf(workshop.id, generation),
        specId: spec.specId,
        imageId,
        rateMicroPerHour: spec.rateMicroPerHour,
        priceVersion: spec.priceVersion,
        setup: wholeSetup(workshop),
      });
      await states.move(tx, {
        workshopId: workshop.id,
        generation: workshop.generation,
        nextGeneration: generation,
        from: workshop.state,
        to: 'QUEUED',
        reason: 'START_REQUESTED',
        actor: 'member',
        desired: 'running',
        sessionId: session.sessionId,
        evidence: { dcuPerHour: Number(spec.dcuPerHour), specId: spec.specId },
      });
    },
  };
}
