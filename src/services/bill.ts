import { call } from '@/utils/request';
import type { Calls } from '../../gateway/contract/calls';

export type BillLine = Calls['GET /gateway/bill/page']['data']['list'][number];
export type BillSummaryQuery = Calls['GET /gateway/bill/summary']['query'];
export type BillSummary = Calls['GET /gateway/bill/summary']['data'];
export type BillSegmentPage = Calls['GET /gateway/bill/segments']['data'];
export type BillSegment = BillSegmentPage['list'][number];
type BillPageQuery = Calls['GET /gateway/bill/page']['query'];
type BillExportQuery = Calls['GET /gateway/bill/export']['query'];

// Whoever shows a bill shows its failure, too, with a way to try again.
export function pageBillLines(query: BillPageQuery) {
  return call('GET /gateway/bill/page', { query }, { isSilent: true });
}

export function getBillSummary(query: BillSummaryQuery) {
  return call('GET /gateway/bill/summary', { query }, { isSilent: true });
}

export function pageBillSegments(query: Calls['GET /gateway/bill/segments']['query']) {
  return call('GET /gateway/bill/segments', { query }, { isSilent: true });
}

/** Where the browser fetches the lines as a file: it streams, so no call of ours holds them all. */
export function billExportPath({ from, to, workshopId }: BillExportQuery): string {
  return `/gateway/bill/export?${new URLSearchParams({ from, to, ...(workshopId ? { workshopId } : {}) })}`;
}
