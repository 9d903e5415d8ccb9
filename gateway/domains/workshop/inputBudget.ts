/** How fast a socket may send: a bucket that refills steadily. Beyond it reading pauses, so that a large paste is slowed, not lost. */
export function createInputBudget(options: { bytesPerSecond: number; burstBytes: number; monotonicMs: () => number }) {
  const { bytesPerSecond, burstBytes, monotonicMs } = options;
  let leftBytes = burstBytes;
  let countedAtMs = monotonicMs();

  return {
    /** Takes what arrived; the milliseconds to wait before the next is read, 0 within the budget. */
    take(bytes: number): number {
      const nowMs = monotonicMs();
      leftBytes = Math.min(burstBytes, leftBytes + ((nowMs - countedAtMs) / 1000) * bytesPerSecond) - bytes;
      countedAtMs = nowMs;
      return leftBytes >= 0 ? 0 : Math.ceil((-leftBytes / bytesPerSecond) * 1000);
    },
  };
}
