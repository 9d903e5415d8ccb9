import { call } from '@/utils/request';
import type { Calls } from '../../gateway/contract/calls';
import { errors } from '../../gateway/contract/errors';

export type LabRun = Calls['GET /gateway/session/page']['data']['list'][number];
export type RunCopy = Calls['POST /gateway/session/copy']['body'];
export type RunOutputAnswer = Calls['GET /gateway/workshop/logs']['data'];
type RunOutputQuery = Calls['GET /gateway/workshop/logs']['query'];

// Reads are silent: the page that asks shows the error in its place, with a retry.

export function pageRuns(query: Calls['GET /gateway/session/page']['query']) {
  return call('GET /gateway/session/page', { query }, { isSilent: true });
}

export function getRunFilters() {
  return call('GET /gateway/session/filterList', {}, { isSilent: true });
}

export function copyRun(body: RunCopy, idempotencyKey: string) {
  const shownByCaller = [errors.WORKSHOP_NAME_TAKEN.code, errors.INVALID_INPUT.code];
  return call('POST /gateway/session/copy', { body }, { idempotencyKey, shownByCaller });
}

/** Silent: the dialog that asked shows a failure itself. */
export function deleteRun(sessionId: string) {
  return call('POST /gateway/session/delete', { body: { sessionId } }, { isSilent: true });
}

export function getRunOutput(query: RunOutputQuery) {
  return call('GET /gateway/workshop/logs', { query }, { isSilent: true });
}

/** Where the browser fetches the output as a file. */
export function runOutputPath({ workshopId, sessionId }: RunOutputQuery): string {
  return `/gateway/workshop/logsDownload?${new URLSearchParams({ workshopId, ...(sessionId ? { sessionId } : {}) })}`;
}
