import type { LabSessionCalls } from '../contract/labSession';
import type { WorkshopCalls } from '../contract/workshop';
import type { WorkshopFileCalls } from '../contract/workshopFile';
import type { WorkshopLifeCalls } from '../contract/workshopLife';
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

/** A workshop by its id; a run that is named beside it is the member's own, of whichever workshop. */
function byRun(): CallRow {
  return {
    ...byQuery('runningWorkshop'),
    ids: { 'query.workshopId': 'runningWorkshop', 'query.sessionId': 'billedSession' },
    isNeverDeleted: true,
  };
}

/** Runs outlive their workshop. */
const bySession: CallRow = {
  input: async (world, member) => ({ body: { sessionId: await world.make('billedSession', member) } }),
  ids: { 'body.sessionId': 'billedSession' },
  isNeverDeleted: true,
};

/** Uploads into the workshop's home first where there must be a file. */
function byFile(part: 'query' | 'body', fields: object): CallRow {
  return {
    isOwnContent: true,
    input: async (world, member) => {
      const workshopId = await world.make('runningWorkshop', member);
      await world.test.as(member).send('POST /gateway/workshop/upload', uploadOf(workshopId));
      return { [part]: { workshopId, ...fields } };
    },
    ids: { [`${part}.workshopId`]: 'runningWorkshop' },
  };
}

function uploadOf(workshopId: string) {
  const headers = { 'content-type': 'application/octet-stream' };
  return { query: { workshopId, path: 'note.txt' }, body: Buffer.from('made by its row'), headers };
}

const fileRows: RowsOf<WorkshopFileCalls> = {
  'GET /gateway/workshop/files': byQuery('runningWorkshop'),
  'GET /gateway/workshop/file': byFile('query', { path: 'note.txt' }),
  'GET /gateway/workshop/download': byFile('query', { path: 'note.txt' }),
  'POST /gateway/workshop/saveFile': {
    ...byBody('stoppedWorkshop', { path: 'new.txt', text: 'text', version: null }),
    isOwnChange: true,
  },
  'POST /gateway/workshop/makeFolder': { ...byBody('stoppedWorkshop', { path: 'folder' }), isOwnChange: true },
  'POST /gateway/workshop/renameFile': { ...byFile('body', { path: 'note.txt', to: 'renamed.txt' }), isOwnChange: true },
  'POST /gateway/workshop/deleteFiles': byBody('stoppedWorkshop', { paths: ['note.txt'] }),
  'POST /gateway/workshop/upload': {
    input: async (world, member) => uploadOf(await world.make('stoppedWorkshop', member)),
    ids: { 'query.workshopId': 'stoppedWorkshop' },
    isOwnChange: true,
  },
};

export const workshopRows: RowsOf<WorkshopCalls & WorkshopFileCalls & WorkshopLifeCalls & LabSessionCalls> = {
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
  'GET /gateway/workshop/metricsStatistics': byRun(),
  ...fileRows,
  'POST /gateway/workshop/extend': byBody('runningWorkshop'),
  'POST /gateway/workshop/stopAll': { input: () => ({}) },
  'GET /gateway/workshop/logs': byRun(),
  'GET /gateway/workshop/logsDownload': byRun(),
  'GET /gateway/session/page': { input: () => ({}) },
  'GET /gateway/session/filterList': { input: () => ({}) },
  'POST /gateway/session/copy': bySession,
  'POST /gateway/session/delete': bySession,
};
