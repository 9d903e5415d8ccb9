/** How a script or style of the console failed to arrive. */
export type LoadFailureType = 'timeout' | 'missing' | 'error';

/** As long as the bundler waits for a script; for a style it sets no limit, so the page does (src/loading.tsx). */
export const LOAD_TIMEOUT_MS = 120_000;

/** A page whose parts are still on their way after the limit. */
export class LateChunkError extends Error {
  override readonly name = 'ChunkLoadError';
  readonly type = 'timeout';
}

/** What kept a script or style from arriving; null where an error is about something else. */
export function loadFailureOf(error: unknown): LoadFailureType | null {
  const { name, code, type } = (error ?? {}) as { name?: unknown; code?: unknown; type?: unknown };
  if (name !== 'ChunkLoadError' && code !== 'CSS_CHUNK_LOAD_FAILED') return null;
  return type === 'timeout' || type === 'missing' ? type : 'error';
}

const RELOADED_AT = 'reloadedAt';
const RECENT_MS = 60_000;

/** Reloads because the member asked for it; nothing here reloads by itself, so nothing can go round in circles. */
export function reloadPage(): void {
  try {
    window.sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  } catch {
    // Without storage the page only cannot say that a reload has been tried.
  }
  window.location.reload();
}

/** Whether the member reloaded a moment ago: then another reload is unlikely to help. */
export function hasJustReloaded(): boolean {
  try {
    const elapsedMs = Date.now() - Number(window.sessionStorage.getItem(RELOADED_AT) ?? Number.NaN);
    return elapsedMs >= 0 && elapsedMs < RECENT_MS;
  } catch {
    // See `reloadPage`.
    return false;
  }
}
