import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from './clock';
import type { Config } from './config';
import type { ComputeEngine } from './drivers/compute/computeEngine';
import { createSimulatedEngine } from './drivers/compute/simulatedEngine';
import { StartRefused } from './startRefused';

/** The compute engine that the settings name, not yet open. */
export function chooseEngine(config: Config, clock: Clock, _log: FastifyBaseLogger): ComputeEngine {
  switch (config.computeEngine) {
    case 'simulated':
      return createSimulatedEngine({ clock });
    default:
      throw new StartRefused(`The compute engine ${config.computeEngine} is not part of this release.`);
  }
}
