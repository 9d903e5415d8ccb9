/** The in-process clock. Instants that are stored come from SQL's `app_now()` instead. */
export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Milliseconds on a clock that never jumps; only differences mean anything. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};
