import { CallError, TRANSPORT_FAILURE } from '@/utils/callError';
import { currentLanguage } from '@/utils/language';
import { call } from '@/utils/request';
import type { Calls } from '../../gateway/contract/calls';
import type { Envelope } from '../../gateway/contract/contract';

export type FolderListing = Calls['GET /gateway/workshop/files']['data'];
export type FileEntry = FolderListing['entries'][number];
export type TextFile = Calls['GET /gateway/workshop/file']['data'];
export type OnConflict = NonNullable<Calls['POST /gateway/workshop/upload']['query']['onConflict']>;

// Everything is silent: the tab shows what went wrong where it belongs.
const silent = { isSilent: true };

export function listFiles(workshopId: string, path: string) {
  return call('GET /gateway/workshop/files', { query: { workshopId, path } }, silent);
}

export function readTextFile(workshopId: string, path: string) {
  return call('GET /gateway/workshop/file', { query: { workshopId, path } }, silent);
}

export function saveTextFile(body: Calls['POST /gateway/workshop/saveFile']['body']) {
  return call('POST /gateway/workshop/saveFile', { body }, silent);
}

export function makeFolder(workshopId: string, path: string) {
  return call('POST /gateway/workshop/makeFolder', { body: { workshopId, path } }, silent);
}

export function renameFile(workshopId: string, path: string, to: string) {
  return call('POST /gateway/workshop/renameFile', { body: { workshopId, path, to } }, silent);
}

export function deleteFiles(workshopId: string, paths: string[]) {
  return call('POST /gateway/workshop/deleteFiles', { body: { workshopId, paths } }, silent);
}

/** Where the browser fetches a file, or a folder as a zip: an attachment, so a plain link does it. */
export function downloadAddress(workshopId: string, path: string): string {
  return `/gateway/workshop/download?${new URLSearchParams({ workshopId, path })}`;
}

interface Upload {
  workshopId: string;
  path: string;
  file: Blob;
  onConflict: OnConflict;
  onProgress: (sentBytes: number) => void;
  signal: AbortSignal;
}

/** Sends a file as it is; `fetch` cannot tell how far it is. Throws `CallError` as `call` does; `signal` ends it. */
export function uploadFile({ workshopId, path, file, onConflict, onProgress, signal }: Upload): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = () => reject(new CallError(TRANSPORT_FAILURE, '', null, '', request.status));
    request.open('POST', `/gateway/workshop/upload?${new URLSearchParams({ workshopId, path, onConflict })}`);
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.setRequestHeader('Accept-Language', currentLanguage());
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
    request.addEventListener('load', () => {
      const envelope = envelopeOf(request.responseText);
      if (!envelope) fail();
      else if (envelope.code === 0) resolve();
      else reject(new CallError(envelope.code, envelope.msg, envelope.data, envelope.traceId, request.status));
    });
    for (const end of ['error', 'timeout', 'abort']) request.addEventListener(end, fail);
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}

function envelopeOf(text: string): Envelope | null {
  try {
    const body: Partial<Envelope> | null = JSON.parse(text);
    return typeof body?.code === 'number' ? (body as Envelope) : null;
  } catch {
    // Something between us and the gateway answered in its own words.
    return null;
  }
}
