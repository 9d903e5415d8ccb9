/** `Math.min` for bigint. */
export function lesser(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}

/** `Math.max` for bigint. */
export function greater(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}
