import type { Catalogue } from '../../catalog/catalogue';
import type { LabSessionCalls } from '../../contract/labSession';
import { limits } from '../../contract/limits';
import { stopReasons } from '../../contract/workshopStates';
import { type Db, inTransaction, type Tx } from '../../db/client';
import { findAnswer, type IdempotentRequest } from '../../db/idempotency';
import { dcuFromMicro } from '../../dcu';
import type { Language } from '../../locales/messages';
import { Refusal } from '../../refusal';
import type { ImageService } from '../image/image.service';
import type { Viewer } from '../workshop/neighbours';
import { nameOfCopy, wholeSetup } from '../workshop/setup.rules';
import { presentAdvice, presentImage, presentSpec } from '../workshop/specOffer.service';
import { storedName } from '../workshop/workshop.rules';
import type { WorkshopService } from '../workshop/workshop.service';
import { countRuns, findRunToCopy, hideRun, lockRun, pageRuns, type RunCount, type RunRow } from './labSessionList.repository';

type Body<K extends keyof LabSessionCalls> = LabSessionCalls[K]['body'];
type Answer<K extends keyof LabSessionCalls> = LabSessionCalls[K]['data'];
type PageQuery = LabSessionCalls['GET /gateway/session/page']['query'];
type RunView = Answer<'GET /gateway/session/page'>['list'][number];

export type LabSessionService = ReturnType<typeof createLabSessionService>;

/** The runs of a member's workshops, of deleted workshops too. Another's run answers NOT_FOUND like a missing one. */
export function createLabSessionService(deps: {
  db: Db;
  catalogue: Catalogue;
  images: Pick<ImageService, 'knowing'>;
  workshops: Pick<WorkshopService, 'copyRun'>;
  listNames: (tx: Tx, memberId: string) => Promise<string[]>;
}) {
  const { db, catalogue, workshops } = deps;

  return {
    async page({ memberId, language }: Viewer, query: PageQuery): Promise<Answer<'GET /gateway/session/page'>> {
      const { current = 1, pageSize = 10, sortField = 'startedAt', sortOrder = 'descend', ...filter } = query;
      const paging = { limit: pageSize, offset: (current - 1) * pageSize };
      const { rows, total } = await pageRuns(db, { memberId, ...filter, sortField, sortOrder, ...paging });
      const known = await deps.images.knowing(rows.map((row) => row.imageId));
      return { list: rows.map((row) => presentRun(row, known, language)), total };
    },

    async filterList({ memberId, language }: Viewer): Promise<Answer<'GET /gateway/session/filterList'>> {
      return presentFilters(await countRuns(db, memberId), catalogue, language);
    },

    /** Throws NOT_FOUND, WORKSHOP_NAME_TAKEN and what making a workshop and, with startNow, starting it does. */
    async copy(
      viewer: Viewer,
      { sessionId, name, startNow = false }: Body<'POST /gateway/session/copy'>,
      idempotency: IdempotentRequest | null,
    ): Promise<Answer<'POST /gateway/session/copy'>> {
      const { memberId } = viewer;
      const first = await findAnswer<Answer<'POST /gateway/session/copy'>>(db, memberId, idempotency);
      if (first) return first.answer;
      const run = await findRunToCopy(db, memberId, sessionId);
      if (!run) throw new Refusal('NOT_FOUND');
      const wished = name === undefined ? null : storedName(name);
      const { specId, imageId, setup, workshopName } = run;
      const nameIn = async (tx: Tx) => {
        // Taken out of the list meanwhile, it is not there to be copied.
        if (!(await lockRun(tx, memberId, sessionId))) throw new Refusal('NOT_FOUND');
        return wished ?? nameOfCopy(workshopName, await deps.listNames(tx, memberId), limits.workshopName.max);
      };
      return workshops.copyRun(viewer, { specId, imageId, ...wholeSetup(setup), startNow, nameIn }, idempotency);
    },

    /** Throws NOT_FOUND, SESSION_OPEN. */
    async delete(
      { memberId }: Viewer,
      { sessionId }: Body<'POST /gateway/session/delete'>,
    ): Promise<Answer<'POST /gateway/session/delete'>> {
      await inTransaction(db, async (tx) => {
        const run = await lockRun(tx, memberId, sessionId);
        if (!run) throw new Refusal('NOT_FOUND');
        if (run.endedAt === null) throw new Refusal('SESSION_OPEN');
        await hideRun(tx, sessionId);
      });
      return { sessionId: sessionId.toLowerCase() };
    },
  };
}

function presentRun(row: RunRow, catalogue: Catalogue, language: Language): RunView {
  const { specId, stopReason, cpuP95Percent, memoryPeakBytes } = row;
  const runningMs = Number(row.observedMs);
  return {
    sessionId: row.sessionId,
    workshopId: row.workshopId,
    workshopName: row.workshopName,
    isWorkshopThere: row.isWorkshopThere,
    spec: presentSpec(catalogue.specOf(specId), language),
    image: presentImage(catalogue, row.imageId, language),
    setup: wholeSetup(row.setup),
    queuedAt: row.queuedAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    stopReason,
    exitCode: row.exitCode,
    runningMs,
    dcuPerHour: dcuFromMicro(row.rateMicroPerHour),
    costDcu: dcuFromMicro(row.costMicro),
    hasOutput: row.hasOutput,
    advice: presentAdvice(catalogue, { specId, stopReason, runningMs, cpuP95Percent, memoryPeakBytes }, language),
  };
}

function presentFilters(
  counts: readonly RunCount[],
  catalogue: Catalogue,
  language: Language,
): Answer<'GET /gateway/session/filterList'> {
  const sum = (matches: (one: RunCount) => boolean) => counts.filter(matches).reduce((total, one) => total + one.count, 0);
  const states = (['OPEN', 'ENDED'] as const).map((state) => ({ state, count: sum((one) => one.isOpen === (state === 'OPEN')) }));
  const reasons = stopReasons.map((stopReason) => ({ stopReason, count: sum((one) => one.stopReason === stopReason) }));
  const specs = [...new Set(counts.map((one) => one.specId))].map((specId) => catalogue.specOf(specId));
  return {
    states: states.filter(({ count }) => count > 0),
    stopReasons: reasons.filter(({ count }) => count > 0),
    specs: specs
      .sort((a, b) => a.cpuCores - b.cpuCores)
      .map(({ specId, name }) => ({ specId, name: name[language], count: sum((one) => one.specId === specId) })),
  };
}
