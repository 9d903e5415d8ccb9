import type { WorkshopCalls } from '../contract/workshop';
import type { CallRow, RowsOf, ThingKind } from './world';

function byBody(kind: ThingKind, others: object = {}): CallRow {
  return {
    input: async (world, member) => ({ body: { workshopId: await world.make(kind, member), ...others } }),
    ids: { 'body.workshopId': kind },
  };
}

function byQuery(kind: ThingKind): CallRow {
  return {
    input: async (world, member) => ({ query: { workshopId: await world.make(kind, member) } }),
    ids: { 'query.workshopId': kind },
  };
}

export const workshopRows: RowsOf<WorkshopCalls> = {
  'GET /gateway/workshop/cpuSpec': { input: () => ({}) },
  'POST /gateway/workshop/create': {
    input: () => ({ body: { name: 'Made by its row', specId: 'cpu-half', imageId: 'shell', startNow: true } }),
  },
  'POST /gateway/workshop/update': byBody('stoppedWorkshop', { name: 'Renamed by its row' }),
  'POST /gateway/workshop/start': byBody('stoppedWorkshop'),
  'POST /gateway/workshop/stop': byBody('runningWorkshop'),
  'POST /gateway/workshop/delete': byBody('stoppedWorkshop'),
  'GET /gateway/workshop/get': byQuery('runningWorkshop'),
  'GET /gateway/workshop/page': { input: () => ({}) },
  'GET /gateway/workshop/filterList': { input: () => ({}) },
  'GET /gateway/workshop/events': byQuery('runningWorkshop'),
  'POST /gateway/workshop/terminal': {
    ...byBody('runningWorkshop'),
    // A terminal is looked for within the workshop named beside it, so another's id there is a new one.
    ids: { 'body.workshopId': 'runningWorkshop', 'body.terminalId': 'free' },
  },
  'GET /gateway/workshop/metricsStatistics': byQuery('runningWorkshop'),
};
