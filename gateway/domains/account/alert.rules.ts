const DAY_MS = 86_400_000;
/** A text the provider did not take is tried again this much later, and no longer than a day: by then the page has said it long ago. */
export const TEXT_RETRY_MS = 10 * 60_000;
const TEXT_TRIED_FOR_MS = DAY_MS;
/** However often a balance crosses the threshold, a member gets one text a day. */
const TEXT_EVERY_MS = DAY_MS;

/** What is known of an alert; `balanceMicro` is posted less accrued, the figure the member sees. */
export interface AlertState {
  thresholdMicro: bigint;
  isBySms: boolean;
  belowSince: Date | null;
  textDueAt: Date | null;
  textSentAt: Date | null;
}

type Change = Pick<AlertState, 'belowSince' | 'textDueAt'>;

/** A balance of exactly the threshold is not below it. */
export function isBelow({ thresholdMicro }: Pick<AlertState, 'thresholdMicro'>, balanceMicro: bigint): boolean {
  return balanceMicro < thresholdMicro;
}

/** What follows from the balance there is now: each fall below the threshold is told once, and a rise makes ready for the next. Null: nothing. */
export function watch(alert: AlertState, balanceMicro: bigint, at: Date): Change | null {
  if (isBelow(alert, balanceMicro) === (alert.belowSince !== null)) return null;
  if (alert.belowSince !== null) return { belowSince: null, textDueAt: null };
  const isTextAllowed = alert.textSentAt === null || at.getTime() - alert.textSentAt.getTime() >= TEXT_EVERY_MS;
  return { belowSince: at, textDueAt: alert.isBySms && isTextAllowed ? at : null };
}

/** When to try a text again that was not taken; null: no more. */
export function nextTry({ belowSince }: Pick<AlertState, 'belowSince'>, at: Date): Date | null {
  if (belowSince === null || at.getTime() - belowSince.getTime() >= TEXT_TRIED_FOR_MS) return null;
  return new Date(at.getTime() + TEXT_RETRY_MS);
}
