import type { Logger } from 'pino';
import type { Clock } from './clock';
import { type Config, isLoopback } from './config';
import type { Db } from './db/client';
import { isAlone } from './domains/user/demoMember';
import type { ComputeEngine } from './drivers/compute/computeEngine';
import { createContainerEngine } from './drivers/compute/containerEngine';
import { createProcessEngine } from './drivers/compute/processEngine';
import { createSimulatedEngine } from './drivers/compute/simulatedEngine';
import { StartRefused } from './startRefused';

/**
 * The compute engine that the settings name, not yet open. Throws `StartRefused` for one that is not built, and for containers
 * where no daemon answers.
 */
export async function chooseEngine(
  config: Config,
  { db, clock, log }: { db: Db; clock: Clock; log: Logger },
): Promise<ComputeEngine> {
  switch (config.computeEngine) {
    case 'process':
      return createProcessEngine({
        dataDir: config.dataDir,
        log,
        isUnsandboxedAllowed: () => isUnsandboxedAllowed(config, () => isAlone(db)),
      });
    case 'container':
      return createContainerEngine({ dataDir: config.dataDir, log, socketPaths: config.containerSockets });
    case 'simulated':
      return createSimulatedEngine({ clock });
    default:
      throw new StartRefused(`The compute engine ${config.computeEngine} is not part of this release.`);
  }
}

/** Unsandboxed labs see each other and this machine: only for somebody alone who tries it out on it, or who says so by name. */
export async function isUnsandboxedAllowed(config: Config, isMemberAlone: () => Promise<boolean>): Promise<boolean> {
  if (config.isUnsandboxedAllowed) return true;
  return !config.isProduction && isLoopback(config.host) && (await isMemberAlone());
}
