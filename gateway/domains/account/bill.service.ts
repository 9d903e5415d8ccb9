import { Readable } from 'node:stream';
import { BILLING_UTC_OFFSET } from '../../billingCalendar';
import type { Catalogue } from '../../catalog/catalogue';
import type { BillCalls } from '../../contract/bill';
import type { Db } from '../../db/client';
import { dcuFromMicro } from '../../dcu';
import { billHeadings } from '../../locales/billWords';
import type { Language } from '../../locales/messages';
import { Refusal } from '../../refusal';
import {
  type BilledSession,
  type BillRow,
  type BillSpan,
  type SegmentRow,
  selectGroups,
  selectLines,
  selectLinesAfter,
  selectSegments,
  selectSeries,
  selectSession,
  selectTotals,
} from './bill.repository';
import { csvLine, requireSpan } from './bill.rules';

type Answer<K extends keyof BillCalls> = BillCalls[K]['data'];
type Query<K extends keyof BillCalls> = BillCalls[K]['query'];

export interface BillViewer {
  memberId: string;
  language: Language;
}

export type BillService = ReturnType<typeof createBillService>;

const HOUR_MS = 3_600_000;
/** Lines read at a time for a file, so that a year of many labs is never in memory as a whole. */
const CHUNK = 1_000;
/** Spreadsheets read a file as UTF-8 only where it says so. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Bills: what was charged, by day, month, workshop, size and session; days and months are those of the billing time zone. */
export function createBillService({ db, catalogue }: { db: Db; catalogue: Pick<Catalogue, 'findSpec'> }) {
  const specName = (specId: string, language: Language) => catalogue.findSpec(specId)?.name[language] ?? specId;

  /** Refuses with `INVALID_INPUT` what is no span of days. */
  function spanOf(viewer: BillViewer, query: { from: string; to: string; workshopId?: string }): BillSpan {
    requireSpan(query);
    return { memberId: viewer.memberId, from: query.from, to: query.to, workshopId: query.workshopId ?? null };
  }

  async function page(viewer: BillViewer, query: Query<'GET /gateway/bill/page'>): Promise<Answer<'GET /gateway/bill/page'>> {
    const { current = 1, pageSize = 10 } = query;
    const span = spanOf(viewer, query);
    const [totals, rows] = await Promise.all([
      selectTotals(db, span),
      selectLines(db, span, { offset: (current - 1) * pageSize, size: pageSize }),
    ]);
    const list = rows.map(({ specId, ms, micro, ...row }) => ({
      ...row,
      specName: specName(specId, viewer.language),
      observedMs: Number(ms),
      dcu: dcuFromMicro(micro),
    }));
    return { list, total: totals.lines, totalDcu: dcuFromMicro(totals.micro) };
  }

  async function summary(
    viewer: BillViewer,
    query: Query<'GET /gateway/bill/summary'>,
  ): Promise<Answer<'GET /gateway/bill/summary'>> {
    const span = spanOf(viewer, query);
    const [totals, series, groups] = await Promise.all([
      selectTotals(db, span),
      selectSeries(db, span, query.step),
      selectGroups(db, span, query.group),
    ]);
    const shown = ({ micro, ms }: { micro: bigint; ms: bigint }) => ({ dcu: dcuFromMicro(micro), observedMs: Number(ms) });
    return {
      totalDcu: dcuFromMicro(totals.micro),
      observedMs: Number(totals.ms),
      series: series.map(({ period, ...usage }) => ({ period, ...shown(usage) })),
      groups: groups.map(({ groupId, name, sessions, ...usage }) => ({
        groupId,
        name: name ?? specName(groupId, viewer.language),
        sessions,
        ...shown(usage),
      })),
      utcOffset: BILLING_UTC_OFFSET,
    };
  }

  /** Refuses with `NOT_FOUND` for a session that is not the member's. */
  async function segments(
    viewer: BillViewer,
    { sessionId, current = 1, pageSize = 10 }: Query<'GET /gateway/bill/segments'>,
  ): Promise<Answer<'GET /gateway/bill/segments'>> {
    const session = await selectSession(db, viewer.memberId, sessionId);
    if (!session) throw new Refusal('NOT_FOUND');
    const rows = await selectSegments(db, sessionId, { offset: (current - 1) * pageSize, size: pageSize });
    return presentSession(session, rows, specName(session.specId, viewer.language));
  }

  /** The lines of a span as CSV, newest first. Refuses with `INVALID_INPUT` what is no span. */
  function exportCsv(viewer: BillViewer, query: Query<'GET /gateway/bill/export'>): Readable {
    return Readable.from(csvOf(db, spanOf(viewer, query), (row) => cellsOf(row, specName(row.specId, viewer.language)), viewer));
  }

  return { page, summary, segments, exportCsv };
}

function presentSession(
  session: BilledSession,
  rows: readonly SegmentRow[],
  specName: string,
): Answer<'GET /gateway/bill/segments'> {
  return {
    list: rows.map(({ seq, fromAt, toAt, rateMicroPerHour, micro }) => ({
      segment: seq,
      from: fromAt.toISOString(),
      to: toAt.toISOString(),
      observedMs: toAt.getTime() - fromAt.getTime(),
      dcuPerHour: dcuFromMicro(rateMicroPerHour),
      dcu: dcuFromMicro(micro),
    })),
    total: session.segments,
    workshopName: session.workshopName,
    specName,
    startedAt: session.startedAt?.toISOString() ?? null,
    endedAt: session.endedAt?.toISOString() ?? null,
    chargedDcu: dcuFromMicro(session.chargedMicro),
    recomputedDcu: dcuFromMicro(session.recomputedMicro),
    isExact: session.chargedMicro === session.recomputedMicro,
  };
}

async function* csvOf(
  db: Db,
  span: BillSpan,
  cells: (row: BillRow) => readonly (string | number)[],
  { language }: BillViewer,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(billHeadings[language]);
  let last: BillRow | null = null;
  for (;;) {
    const rows: BillRow[] = await selectLinesAfter(db, span, last, CHUNK);
    if (rows.length > 0) yield rows.map((row) => csvLine(cells(row))).join('');
    last = rows.at(-1) ?? null;
    if (rows.length < CHUNK) return;
  }
}

function cellsOf({ day, workshopName, ms, micro, segments, sessionId }: BillRow, specName: string): readonly (string | number)[] {
  return [day, workshopName, specName, (Number(ms) / HOUR_MS).toFixed(6), dcuFromMicro(micro).toFixed(6), segments, sessionId];
}
