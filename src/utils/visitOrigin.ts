import { limits } from '../../gateway/contract/limits';

/** Page parameter → where it is stored. */
const stored = { source: 'source', event: 'eventCode' } as const;

/** Stores where a visit came from; a visit without the parameters keeps what an earlier one brought. */
export function storeVisitOrigin(search: string): void {
  const parameters = new URLSearchParams(search);
  for (const [parameter, key] of Object.entries(stored)) {
    const value = parameters.get(parameter)?.slice(0, limits.sourceLength);
    if (value) write(key, value);
  }
}

/** What is sent with a registration. */
export function visitOrigin(): { source?: string; eventCode?: string } {
  const source = read('source');
  const eventCode = read('eventCode');
  return { ...(source ? { source } : {}), ...(eventCode ? { eventCode } : {}) };
}

function write(key: string, value: string): void {
  try {
    window.localStorage.setItem(key, value);
  } catch {
    // A browser that forbids storage only loses where the visit came from.
  }
}

function read(key: string): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    // See `write`.
    return null;
  }
}
