import type { FastifyBaseLogger } from 'fastify';
import { loopRuns, loopSeconds } from '../metrics';

export interface LoopOptions<T> {
  name: string;
  /** Rest between the end of one run and the start of the next. */
  everyMs: number;
  run: () => Promise<T>;
  log: FastifyBaseLogger;
}

export interface Loop<T> {
  /** One run now, after the one in progress; its error goes to the caller. */
  runOnce(): Promise<T>;
  start(): void;
  /** Something changed: run now, or once more right after the run in progress. */
  kick(): void;
  /** No further run; resolves when the one in progress has ended. */
  stop(): Promise<void>;
}

const REST_AFTER_FAILURES_MS = 30_000;

/** Runs `run` again and again at its own pace, never twice at once; a failing run is logged, counted and tried later and later. */
export function createLoop<T>({ name, everyMs, run, log }: LoopOptions<T>): Loop<T> {
  let isStarted = false;
  let isKicked = false;
  let failures = 0;
  let timer: NodeJS.Timeout | null = null;
  let last: Promise<unknown> = Promise.resolve();

  function runOnce(): Promise<T> {
    const current = last.then(measured);
    last = current.catch(() => undefined);
    return current;
  }

  async function measured(): Promise<T> {
    const stopTimer = loopSeconds.startTimer({ loop: name });
    try {
      const report = await run();
      loopRuns.inc({ loop: name, outcome: 'done' });
      return report;
    } catch (error) {
      loopRuns.inc({ loop: name, outcome: 'failed' });
      throw error;
    } finally {
      stopTimer();
    }
  }

  async function turn(): Promise<void> {
    timer = null;
    isKicked = false;
    try {
      await runOnce();
      failures = 0;
    } catch (err) {
      failures += 1;
      log.error({ err, loop: name, failures }, 'loop run failed');
    }
    if (isStarted) schedule(isKicked ? 0 : restMs());
  }

  function restMs(): number {
    const backedOff = Math.min(everyMs * 2 ** failures, Math.max(everyMs, REST_AFTER_FAILURES_MS));
    // Several gateways on one database should not run in step.
    return backedOff * (0.95 + Math.random() * 0.1);
  }

  function schedule(ms: number): void {
    timer = setTimeout(() => void turn(), ms);
  }

  return {
    runOnce,
    start() {
      if (isStarted) return;
      isStarted = true;
      schedule(0);
    },
    kick() {
      isKicked = true;
      if (!isStarted || !timer) return;
      clearTimeout(timer);
      schedule(0);
    },
    async stop() {
      isStarted = false;
      if (timer) clearTimeout(timer);
      timer = null;
      await last;
    },
  };
}
