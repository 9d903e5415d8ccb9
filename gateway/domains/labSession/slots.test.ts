import pino from 'pino';
import { EngineUnreachable } from '../../drivers/compute/computeEngine';
import { createSlots } from './slots';

const log = pino({ level: 'silent' });

/** Work that ends when told. */
function heldWork(): { work: () => Promise<void>; end: () => void; runs: () => number } {
  let runs = 0;
  let end = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = () => {
    runs += 1;
    return done;
  };
  return { work, end: () => end(), runs: () => runs };
}

describe('slots of a reconcile pass', () => {
  it('never run two of one name at once', async () => {
    const slots = createSlots(log);
    const { work, end, runs } = heldWork();
    slots.beside('a', work);
    slots.beside('a', work);
    expect(await slots.run('a', work)).toBe(false);

    end();
    await slots.drain();

    expect(runs()).toBe(1);
    expect(await slots.run('a', work)).toBe(false);
    expect(runs()).toBe(2);
  });

  it('go on without a call that takes long, and drain waits for it', async () => {
    const slots = createSlots(log);
    const slow = heldWork();
    const startedMs = performance.now();

    await slots.run('slow', slow.work);

    expect(performance.now() - startedMs).toBeLessThan(3_000);
    let isDrained = false;
    const drained = slots.drain().then(() => {
      isDrained = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isDrained).toBe(false);
    slow.end();
    await drained;
  });

  it('run a few at once and all of them in the end', async () => {
    const slots = createSlots(log);
    let [atOnce, most, done] = [0, 0, 0];
    const work = async () => {
      most = Math.max(most, ++atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
      done += 1;
    };

    for (let index = 0; index < 100; index += 1) slots.beside(`w${index}`, work);
    await slots.drain();

    expect({ done, isBounded: most <= 16 }).toEqual({ done: 100, isBounded: true });
  });

  it('say that work failed and let it be tried again', async () => {
    const slots = createSlots(log);

    for (const error of [new EngineUnreachable('gone'), new Error('broken')]) {
      expect(await slots.run('a', () => Promise.reject(error))).toBe(true);
    }
    expect(await slots.run('a', () => Promise.resolve())).toBe(false);
  });
});
