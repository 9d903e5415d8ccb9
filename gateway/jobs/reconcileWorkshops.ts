import type { FastifyBaseLogger } from 'fastify';
import type { PassReport, ReconcileService } from '../domains/labSession/reconcile.service';
import type { WakeUp } from '../domains/workshop/wakeUp';
import type { ComputeEngine } from '../drivers/compute/computeEngine';
import { createLoop, type Loop } from './loop';

const EVERY_MS = 1_000;

interface ReconcileLoopDeps {
  reconciliation: ReconcileService;
  wakeUp: WakeUp;
  engine: ComputeEngine;
  log: FastifyBaseLogger;
}

/** Brings the engine to what members wish, every second and at once when a wish or the engine changed. */
export function createReconcileLoop({ reconciliation, wakeUp, engine, log }: ReconcileLoopDeps): Loop<PassReport> {
  const loop = createLoop({ name: 'reconcileWorkshops', everyMs: EVERY_MS, run: reconciliation.runOnce, log });
  let stopListening: (() => void)[] = [];
  return {
    ...loop,
    start() {
      stopListening = [wakeUp.onKick(loop.kick), engine.onChange(loop.kick)];
      loop.start();
    },
    async stop() {
      for (const stop of stopListening) stop();
      stopListening = [];
      await loop.stop();
      await reconciliation.drain();
    },
  };
}
