import { call } from '@/utils/request';
import type { Calls } from '../../gateway/contract/calls';
import { errors } from '../../gateway/contract/errors';

export type Workshop = Calls['GET /gateway/workshop/get']['data'];
export type CpuSpec = Calls['GET /gateway/workshop/cpuSpec']['data']['list'][number];
export type WorkshopEvent = Calls['GET /gateway/workshop/events']['data']['list'][number];
export type WorkshopMetrics = Calls['GET /gateway/workshop/metricsStatistics']['data'];
export type MetricsQuery = Calls['GET /gateway/workshop/metricsStatistics']['query'];
export type NewWorkshop = Calls['POST /gateway/workshop/create']['body'];
export type WorkshopChanges = Calls['POST /gateway/workshop/update']['body'];

// Reads are silent: the page that asks shows the error in its place, with a retry.

export function pageWorkshops(query: Calls['GET /gateway/workshop/page']['query']) {
  return call('GET /gateway/workshop/page', { query }, { isSilent: true });
}

export function getWorkshopFilters() {
  return call('GET /gateway/workshop/filterList', {}, { isSilent: true });
}

export function getCpuSpecs() {
  return call('GET /gateway/workshop/cpuSpec', {}, { isSilent: true });
}

export function getWorkshop(workshopId: string) {
  return call('GET /gateway/workshop/get', { query: { workshopId } }, { isSilent: true });
}

export function pageWorkshopEvents(query: Calls['GET /gateway/workshop/events']['query']) {
  return call('GET /gateway/workshop/events', { query }, { isSilent: true });
}

export function getWorkshopMetrics(query: MetricsQuery) {
  return call('GET /gateway/workshop/metricsStatistics', { query }, { isSilent: true });
}

/** Refusals a form shows beside the field they are about. */
const fieldRefusals = [
  errors.WORKSHOP_NAME_TAKEN.code,
  errors.SPEC_UNAVAILABLE.code,
  errors.IMAGE_UNAVAILABLE.code,
  errors.ENGINE_NO_NETWORK.code,
  errors.INVALID_INPUT.code,
];

export function createWorkshop(body: NewWorkshop, idempotencyKey: string) {
  return call('POST /gateway/workshop/create', { body }, { idempotencyKey, shownByCaller: fieldRefusals });
}

export function updateWorkshop(body: WorkshopChanges) {
  return call('POST /gateway/workshop/update', { body }, { shownByCaller: fieldRefusals });
}

export function startWorkshop(workshopId: string, idempotencyKey: string) {
  return call('POST /gateway/workshop/start', { body: { workshopId } }, { idempotencyKey });
}

/** Stopping and deleting are silent where a dialog asked first: it shows a failure itself. */
export function stopWorkshop(workshopId: string, { isSilent = false, isForced = false } = {}) {
  return call('POST /gateway/workshop/stop', { body: isForced ? { workshopId, isForced } : { workshopId } }, { isSilent });
}

export function stopAllWorkshops() {
  return call('POST /gateway/workshop/stopAll', {}, { isSilent: true });
}

/** So many hours more or, without hours, the time without use counted anew. */
export function extendWorkshop(workshopId: string, hours?: number, { isSilent = false } = {}) {
  return call(
    'POST /gateway/workshop/extend',
    { body: hours === undefined ? { workshopId } : { workshopId, hours } },
    { isSilent },
  );
}

export function deleteWorkshop(workshopId: string, { isSilent = false } = {}) {
  // What is gone already needs no deleting: the caller takes it for done.
  const shownByCaller = [errors.NOT_FOUND.code];
  return call('POST /gateway/workshop/delete', { body: { workshopId } }, { isSilent, shownByCaller });
}

export function createTerminalTicket(workshopId: string, terminalId?: string) {
  const body = terminalId ? { workshopId, terminalId } : { workshopId };
  return call('POST /gateway/workshop/terminal', { body }, { isSilent: true });
}
