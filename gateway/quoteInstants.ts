/**
 * Instants to which a figure that moves with time is counted: the next one of a grid that is at least `holdsMs` ahead and, as long as
 * it is to come, the one before it. A figure counted ahead thus stays as it was seen for `holdsMs` at least, to the fen.
 */
export function quoteInstants(at: Date, { gridMs, holdsMs }: { gridMs: number; holdsMs: number }): [Date, ...Date[]] {
  const nextMs = Math.ceil((at.getTime() + holdsMs) / gridMs) * gridMs;
  const earlierMs = nextMs - gridMs;
  return earlierMs >= at.getTime() ? [new Date(nextMs), new Date(earlierMs)] : [new Date(nextMs)];
}
