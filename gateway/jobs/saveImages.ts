import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock';
import type { ImageSaveService } from '../domains/labImage/imageSave.service';
import { createLoop, type Loop } from './loop';

const EVERY_MS = 1_000;
const SWEEP_MS = 60_000;

/** Begins to save what waits; each minute also removes what cancelled, failed and deleted images left. Stopping ends what is being saved. */
export function createSaveImagesLoop(deps: { imageSaves: ImageSaveService; clock: Clock; log: FastifyBaseLogger }): Loop<number> {
  const { imageSaves, clock, log } = deps;
  let sweptMs = Number.NEGATIVE_INFINITY;
  const loop = createLoop({
    name: 'saveImages',
    everyMs: EVERY_MS,
    log,
    run: async () => {
      const nowMs = clock.monotonicMs();
      if (nowMs - sweptMs >= SWEEP_MS) {
        sweptMs = nowMs;
        await imageSaves.sweep();
      }
      return imageSaves.runOnce();
    },
  });
  return {
    ...loop,
    async stop() {
      await loop.stop();
      await imageSaves.close();
    },
  };
}
