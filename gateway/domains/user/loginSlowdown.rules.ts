/** After `free` failures each further one doubles the wait, from `firstMs` up to `longestMs`. */
export interface Slowdown {
  free: number;
  firstMs: number;
  longestMs: number;
}

/** For one account from one address: a guesser is down to four tries an hour after the tenth or so. */
export const addressSlowdown: Slowdown = { free: 4, firstMs: 5_000, longestMs: 15 * 60_000 };

/**
 * For one account over all addresses: gentle, since strangers can bring it about, and never for an address the owner has
 * signed in from before.
 */
export const accountSlowdown: Slowdown = { free: 29, firstMs: 1_000, longestMs: 30_000 };

/** How long the next try must wait after this many failures in a row. */
export function delayMs(failures: number, { free, firstMs, longestMs }: Slowdown): number {
  if (failures <= free) return 0;
  return Math.min(longestMs, firstMs * 2 ** Math.min(failures - free - 1, 30));
}
