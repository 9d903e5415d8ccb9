import { useSyncExternalStore } from 'react';
import { type OnConflict, uploadFile } from '@/services/workshopFile';
import { CallError, isCallError, TRANSPORT_FAILURE } from '@/utils/callError';
import { errors } from '../../../../../../../gateway/contract/errors';

export type UploadState = 'waiting' | 'sending' | 'done' | 'conflict' | 'failed' | 'skipped' | 'cancelled';

export interface UploadItem {
  id: number;
  /** From the home on. */
  path: string;
  file: File;
  state: UploadState;
  sentBytes: number;
  onConflict: OnConflict;
  /** The gateway's words; empty where nobody answered. */
  failure: string;
}

const AT_ONCE = 2;
const TRY_AGAIN_MS = 1_000;
const isOpen = ({ state }: UploadItem) => state === 'waiting' || state === 'sending';

/** The uploads to one workshop. They go on while another tab or page is looked at, and are there when one comes back. */
export class Uploads {
  private items: readonly UploadItem[] = [];
  private readonly listeners = new Set<() => void>();
  private readonly running = new Map<number, AbortController>();
  private lastId = 0;

  constructor(private readonly workshopId: string) {}

  readonly snapshot = () => this.items;

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  add(files: readonly { path: string; file: File }[]): void {
    const added = files.map(({ path, file }): UploadItem => {
      this.lastId += 1;
      return { id: this.lastId, path, file, state: 'waiting', sentBytes: 0, onConflict: 'refuse', failure: '' };
    });
    this.show([...this.items, ...added]);
    this.goOn();
  }

  /** Again, with what was decided about the file that is there. */
  retry(id: number, onConflict: OnConflict = 'refuse'): void {
    this.change(id, { state: 'waiting', sentBytes: 0, failure: '', onConflict });
    this.goOn();
  }

  /** One answer for everything that met a file of its name. */
  settleConflicts(decision: OnConflict | 'skip'): void {
    for (const { id, state } of this.items) {
      if (state !== 'conflict') continue;
      if (decision === 'skip') this.change(id, { state: 'skipped' });
      else this.retry(id, decision);
    }
  }

  skip(id: number): void {
    this.change(id, { state: 'skipped' });
  }

  cancel(id: number): void {
    this.change(id, { state: 'cancelled' });
    this.running.get(id)?.abort();
  }

  cancelAll(): void {
    for (const item of this.items) if (isOpen(item)) this.cancel(item.id);
  }

  /** Takes what is over off the list. */
  clear(): void {
    this.show(this.items.filter((item) => isOpen(item) || item.state === 'conflict'));
  }

  private goOn(): void {
    while (this.running.size < AT_ONCE) {
      const next = this.items.find(({ id, state }) => state === 'waiting' && !this.running.has(id));
      if (!next) return;
      const controller = new AbortController();
      this.running.set(next.id, controller);
      this.send(next, controller.signal).finally(() => {
        this.running.delete(next.id);
        this.goOn();
      });
    }
  }

  private async send({ id, path, file, onConflict }: UploadItem, signal: AbortSignal): Promise<void> {
    this.change(id, { state: 'sending' });
    const { workshopId } = this;
    try {
      await uploadFile({ workshopId, path, file, onConflict, signal, onProgress: (sentBytes) => this.change(id, { sentBytes }) });
      this.change(id, { state: 'done', sentBytes: file.size });
    } catch (error) {
      if (signal.aborted) return;
      if (isCallError(error, errors.TOO_MANY_REQUESTS.code)) {
        await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
        this.change(id, { state: 'waiting', sentBytes: 0 });
      } else if (isCallError(error, errors.FILE_EXISTS.code)) this.change(id, { state: 'conflict' });
      else this.change(id, { state: 'failed', failure: wordsOf(error) });
    }
  }

  private change(id: number, changes: Partial<UploadItem>): void {
    this.show(this.items.map((item) => (item.id === id ? { ...item, ...changes } : item)));
  }

  private show(items: readonly UploadItem[]): void {
    this.items = items;
    for (const listener of this.listeners) listener();
  }
}

function wordsOf(error: unknown): string {
  return error instanceof CallError && error.code !== TRANSPORT_FAILURE ? error.msg : '';
}

const all = new Map<string, Uploads>();

export function uploadsOf(workshopId: string): Uploads {
  const uploads = all.get(workshopId) ?? new Uploads(workshopId);
  all.set(workshopId, uploads);
  return uploads;
}

/** Leaving the page would end what is under way: the browser asks first. */
window.addEventListener('beforeunload', (event) => {
  if ([...all.values()].some((uploads) => uploads.snapshot().some(isOpen))) event.preventDefault();
});

export function useUploads(workshopId: string): { uploads: Uploads; items: readonly UploadItem[] } {
  const uploads = uploadsOf(workshopId);
  return { uploads, items: useSyncExternalStore(uploads.subscribe, uploads.snapshot) };
}
