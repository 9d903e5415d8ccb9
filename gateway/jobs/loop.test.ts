import { EventEmitter, once } from 'node:events';
import pino from 'pino';
import { loopRuns } from '../metrics';
import { createLoop, type Loop } from './loop';

const HOUR_MS = 3_600_000;
const log = pino({ level: 'silent' });

describe('a loop', () => {
  const runs = new EventEmitter();
  let loop: Loop<number> | null = null;
  afterEach(() => loop?.stop());

  function counting(everyMs: number, work: (run: number) => Promise<void> = async () => {}): Loop<number> {
    let count = 0;
    loop = createLoop({
      name: 'test',
      everyMs,
      log,
      run: async () => {
        count += 1;
        const mine = count;
        runs.emit(`start ${mine}`);
        await work(mine);
        runs.emit(`end ${mine}`);
        return mine;
      },
    });
    return loop;
  }

  it('runs at once when started and again after its rest', async () => {
    const second = once(runs, 'end 2');

    counting(1).start();

    await expect(second).resolves.toEqual([]);
  });

  it('runs now when kicked, however long it would rest', async () => {
    const first = once(runs, 'end 1');
    const second = once(runs, 'end 2');
    const kicked = counting(HOUR_MS);
    kicked.start();
    await first;

    await new Promise(setImmediate);
    kicked.kick();

    await expect(second).resolves.toEqual([]);
  });

  it('runs once more when kicked in the middle of a run, and never twice at once', async () => {
    const finish = new EventEmitter();
    let active = 0;
    let activeMost = 0;
    const busy = counting(HOUR_MS, async (run) => {
      active += 1;
      activeMost = Math.max(activeMost, active);
      if (run === 1) await once(finish, 'go');
      active -= 1;
    });
    const [first, second] = [once(runs, 'start 1'), once(runs, 'end 2')];
    busy.start();
    await first;

    busy.kick();
    busy.kick();
    const byHand = busy.runOnce();
    finish.emit('go');
    await second;

    await byHand;
    expect(activeMost).toBe(1);
  });

  it('goes on after a failing run, and counts it', async () => {
    const failedBefore = await failedRuns();
    const second = once(runs, 'end 2');

    counting(1, async (run) => {
      if (run === 1) throw new Error('broken');
    }).start();
    await second;

    expect(await failedRuns()).toBe(failedBefore + 1);
  });

  it('hands the error of a single run to its caller', async () => {
    const failing = counting(HOUR_MS, async () => {
      throw new Error('broken');
    });

    await expect(failing.runOnce()).rejects.toThrow('broken');
  });

  it('lets the run in progress end before it is stopped, and starts no other', async () => {
    const finish = new EventEmitter();
    const ended: number[] = [];
    const stopping = counting(1, async (run) => {
      await once(finish, 'go');
      ended.push(run);
    });
    const first = once(runs, 'start 1');
    stopping.start();
    await first;

    const stopped = stopping.stop();
    stopping.kick();
    finish.emit('go');
    await stopped;

    expect(ended).toEqual([1]);
  });
});

async function failedRuns(): Promise<number> {
  const { values } = await loopRuns.get();
  return values.find(({ labels }) => labels.loop === 'test' && labels.outcome === 'failed')?.value ?? 0;
}
