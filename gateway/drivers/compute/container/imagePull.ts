import type Docker from 'dockerode';
import type { LabProgress } from '../computeEngine';
import { ImageUnavailable } from '../supervisor/labHost';
import { unlessMissing, wordsOf } from './daemon';

interface PullLine {
  id?: string;
  status?: string;
  error?: string;
  progressDetail?: { current?: number; total?: number };
}

type Listener = (progress: LabProgress) => void;

interface Pull {
  done: Promise<void>;
  listeners: Set<Listener>;
  abort: AbortController;
}

/** Images that labs need, fetched once however many labs wait. */
export class ImagePulls {
  private readonly underWay = new Map<string, Pull>();

  constructor(private readonly docker: Docker) {}

  /** Resolves when the image is here. Throws `ImageUnavailable`, also when `signal` is aborted; the last that leaves ends the fetch. */
  async ensure(reference: string, signal: AbortSignal, onProgress: Listener): Promise<void> {
    if (await unlessMissing(this.docker.getImage(reference).inspect())) return;
    const pull = this.underWay.get(reference) ?? this.begin(reference);
    pull.listeners.add(onProgress);
    onProgress({ percent: null, detail: `fetching ${reference}` });
    try {
      await Promise.race([pull.done, aborted(signal)]);
    } finally {
      pull.listeners.delete(onProgress);
      if (pull.listeners.size === 0) pull.abort.abort();
    }
  }

  private begin(reference: string): Pull {
    const abort = new AbortController();
    const listeners = new Set<Listener>();
    const tell = (progress: LabProgress) => {
      for (const listener of listeners) listener(progress);
    };
    const done = this.fetch(reference, abort.signal, tell).finally(() => this.underWay.delete(reference));
    // Heard by whoever waits; nobody may be left.
    done.catch(() => undefined);
    const pull = { done, listeners, abort };
    this.underWay.set(reference, pull);
    return pull;
  }

  private async fetch(reference: string, abortSignal: AbortSignal, tell: Listener): Promise<void> {
    const layers = new PullLayers();
    let failure: string | null = null;
    try {
      const stream = await this.docker.pull(reference, { abortSignal });
      await new Promise<void>((resolve, reject) => {
        const finish = (error: Error | null) => (error ? reject(error) : resolve());
        this.docker.modem.followProgress(stream, finish, (line: PullLine) => {
          failure ??= line.error ?? null;
          tell(layers.add(line));
        });
      });
    } catch (error) {
      failure ??= wordsOf(error);
    }
    if (failure === null && (await unlessMissing(this.docker.getImage(reference).inspect()))) return;
    throw new ImageUnavailable(`${reference} is not here and could not be fetched: ${failure ?? 'nothing came'}`);
  }
}

/** Adds up what a registry tells of each layer. */
export class PullLayers {
  private readonly layers = new Map<string, { current: number; total: number; isDone: boolean }>();

  add({ id, status = '', progressDetail }: PullLine): LabProgress {
    if (id && /^[0-9a-f]{6,64}$/.test(id)) {
      const layer = this.layers.get(id) ?? { current: 0, total: 0, isDone: false };
      if (/^Downloading/.test(status)) Object.assign(layer, progressDetail);
      if (/^(Download complete|Pull complete|Already exists|Extracting)/.test(status)) layer.isDone = true;
      this.layers.set(id, layer);
    }
    const all = [...this.layers.values()];
    const done = all.filter((layer) => layer.isDone).length;
    const detail = all.length === 0 ? status : `${done} of ${all.length} layers`;
    const total = all.reduce((sum, layer) => sum + layer.total, 0);
    if (total === 0) return { percent: all.length > 0 ? Math.floor((100 * done) / all.length) : null, detail };
    const current = all.reduce((sum, layer) => sum + (layer.isDone ? layer.total : Math.min(layer.current, layer.total)), 0);
    return { percent: Math.floor((100 * current) / total), detail };
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const give = () => reject(new ImageUnavailable('the start was called off'));
    if (signal.aborted) give();
    else signal.addEventListener('abort', give, { once: true });
  });
}
