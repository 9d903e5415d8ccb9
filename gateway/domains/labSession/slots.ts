import type { FastifyBaseLogger } from 'fastify';
import { EngineUnreachable } from '../../drivers/compute/computeEngine';

/** How long one pass waits for one engine call before it goes on without it. */
const PATIENCE_MS = 1_000;
const AT_ONCE = 16;

/**
 * Runs work by name: never two of one name at once, never more than a few in all, and a slow one does not hold up the pass that
 * began it. A failure is logged and answered as true; the next pass tries again.
 */
export function createSlots(log: FastifyBaseLogger) {
  const underWay = new Map<string, Promise<boolean>>();
  const waiting: (() => void)[] = [];
  let free = AT_ONCE;

  async function guarded(name: string, work: () => Promise<void>): Promise<boolean> {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
    try {
      await work();
      return false;
    } catch (err) {
      if (err instanceof EngineUnreachable) log.debug({ err, name }, 'the engine did not answer');
      else log.error({ err, name }, 'a reconcile step failed');
      return true;
    } finally {
      underWay.delete(name);
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  }

  /** True when it failed within our patience; work of the same name that is still under way is left to finish. */
  async function run(name: string, work: () => Promise<void>): Promise<boolean> {
    if (underWay.has(name)) return false;
    const done = guarded(name, work);
    underWay.set(name, done);
    let timer: NodeJS.Timeout | undefined;
    const impatient = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), PATIENCE_MS);
    });
    try {
      return await Promise.race([done, impatient]);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    run,
    /** The same without waiting at all. */
    beside(name: string, work: () => Promise<void>): void {
      if (!underWay.has(name)) underWay.set(name, guarded(name, work));
    },
    async drain(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay.values());
    },
  };
}

export type Slots = ReturnType<typeof createSlots>;
