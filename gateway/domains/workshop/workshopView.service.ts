import type { Catalogue } from '../../catalog/catalogue';
import type { WorkshopCalls } from '../../contract/workshop';
import { workshopStates } from '../../contract/workshopStates';
import type { Db, Tx } from '../../db/client';
import { type ComputeEngine, EngineRefused, EngineUnreachable } from '../../drivers/compute/computeEngine';
import { Refusal } from '../../refusal';
import type { ImageService } from '../image/image.service';
import type { Memberships, Meter, Viewer } from './neighbours';
import type { SpecOfferService } from './specOffer.service';
import { presentEvent, presentWorkshop, type ViewContext, type WorkshopView } from './workshop.presenter';
import { findWorkshop } from './workshop.repository';
import { countByFilter, findWorkshopRow, pageEvents, pageWorkshopRows, type WorkshopRow } from './workshopView.repository';

type Query<K extends keyof WorkshopCalls> = WorkshopCalls[K]['query'];
type Answer<K extends keyof WorkshopCalls> = WorkshopCalls[K]['data'];

export type WorkshopViewService = ReturnType<typeof createWorkshopViewService>;

/** What a member sees of their workshops. Another member's workshop answers NOT_FOUND like a missing one. */
export function createWorkshopViewService(deps: {
  db: Db;
  engine: ComputeEngine;
  catalogue: Catalogue;
  meter: Meter;
  memberships: Memberships;
  specOffer: SpecOfferService;
  images: Pick<ImageService, 'knowing'>;
}) {
  const { db, engine, catalogue, meter, memberships, specOffer, images } = deps;

  /** The limits a running lab nears; two questions a page whatever its length, none where nothing runs. */
  async function limitsFor(memberId: string, rows: readonly WorkshopRow[]): Promise<ViewContext['limits']> {
    if (!rows.some((row) => row.state === 'RUNNING')) return null;
    const [rights, runway] = await Promise.all([memberships.getRights(memberId), meter.getRunway(memberId)]);
    return { levelMaxHours: rights.ceilings.maxHours, balanceUntil: runway.lastsUntil };
  }

  /** The terminals a page can attach to again; none is listed where the engine is elsewhere or silent. */
  async function terminalsOf(row: WorkshopRow): Promise<string[]> {
    if (row.state !== 'RUNNING' || row.openRef === null || row.engineInstanceId !== engine.instanceId) return [];
    try {
      return await engine.terminals(row.openRef);
    } catch (error) {
      if (error instanceof EngineUnreachable || error instanceof EngineRefused) return [];
      throw error;
    }
  }

  async function get(viewer: Viewer, workshopId: string): Promise<WorkshopView> {
    const row = await findWorkshopRow(db, viewer.memberId, workshopId);
    if (!row) throw new Refusal('NOT_FOUND');
    const [limits, terminalIds, known] = await Promise.all([
      limitsFor(viewer.memberId, [row]),
      terminalsOf(row),
      images.knowing([row.imageId]),
    ]);
    return presentWorkshop(row, { catalogue: known, language: viewer.language, limits, terminalIds });
  }

  return {
    get,

    /** Throws NOT_FOUND for a workshop that is not the member's. */
    async requireMine(memberId: string, workshopId: string): Promise<void> {
      if (!(await findWorkshop(db, memberId, workshopId))) throw new Refusal('NOT_FOUND');
    },

    /** The answer to a change, read inside its transaction; nothing that was just changed is RUNNING with a new limit. */
    async getChanged(tx: Tx, viewer: Viewer, workshopId: string): Promise<WorkshopView> {
      const row = await findWorkshopRow(tx, viewer.memberId, workshopId);
      if (!row) throw new Refusal('NOT_FOUND');
      const known = await images.knowing([row.imageId], tx);
      return presentWorkshop(row, { catalogue: known, language: viewer.language, limits: null, terminalIds: [] });
    },

    async page(viewer: Viewer, query: Query<'GET /gateway/workshop/page'>): Promise<Answer<'GET /gateway/workshop/page'>> {
      const { current = 1, pageSize = 10, keyword, state, specId, sortField = 'createdAt', sortOrder = 'descend' } = query;
      const paging = { limit: pageSize, offset: (current - 1) * pageSize };
      const filter = { keyword, state, specId };
      const { rows, total } = await pageWorkshopRows(db, { memberId: viewer.memberId, ...filter, sortField, sortOrder, ...paging });
      const limits = await limitsFor(viewer.memberId, rows);
      const known = await images.knowing(rows.map((row) => row.imageId));
      const context = { catalogue: known, language: viewer.language, limits, terminalIds: [] };
      return { list: rows.map((row) => presentWorkshop(row, context)), total };
    },

    async filterList(viewer: Viewer): Promise<Answer<'GET /gateway/workshop/filterList'>> {
      return presentFilters(await countByFilter(db, viewer.memberId), catalogue, viewer);
    },

    async events(
      viewer: Viewer,
      { workshopId, current = 1, pageSize = 10 }: Query<'GET /gateway/workshop/events'>,
    ): Promise<Answer<'GET /gateway/workshop/events'>> {
      const paging = { limit: pageSize, offset: (current - 1) * pageSize };
      const page = await pageEvents(db, { memberId: viewer.memberId, workshopId, ...paging });
      if (!page) throw new Refusal('NOT_FOUND');
      return { list: page.rows.map(presentEvent), total: page.total };
    },

    async cpuSpec(viewer: Viewer): Promise<Answer<'GET /gateway/workshop/cpuSpec'>> {
      const { ceilings } = await memberships.getRights(viewer.memberId);
      const [list, network] = await Promise.all([specOffer.list(ceilings, viewer.language), specOffer.network(viewer.language)]);
      return { list, network };
    },
  };
}

function presentFilters(
  counts: Awaited<ReturnType<typeof countByFilter>>,
  catalogue: Catalogue,
  { language }: Viewer,
): Answer<'GET /gateway/workshop/filterList'> {
  const sum = (matches: (one: (typeof counts)[number]) => boolean) =>
    counts.filter(matches).reduce((total, one) => total + one.count, 0);
  const specs = [...new Set(counts.map((one) => one.specId))].map((specId) => catalogue.specOf(specId));
  return {
    states: workshopStates.map((state) => ({ state, count: sum((one) => one.state === state) })).filter((one) => one.count > 0),
    specs: specs
      .sort((a, b) => a.cpuCores - b.cpuCores)
      .map(({ specId, name }) => ({ specId, name: name[language], count: sum((one) => one.specId === specId) })),
  };
}
