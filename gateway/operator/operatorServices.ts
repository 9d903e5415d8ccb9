import type { Pool } from 'pg';
import { systemClock } from '../clock';
import type { Config } from '../config';
import type { Db } from '../db/client';
import { openInstallation } from '../db/installation';
import { type ComputeEngine, EngineUnreachable } from '../drivers/compute/computeEngine';
import { createLog } from '../log';
import { createServices, type Services } from '../services';

/** The gateway's services as an operator's command uses them: the same rules, books and locks, and no engine. */
export async function createOperatorServices(deps: { config: Config; db: Db; pool: Pool }): Promise<Services> {
  const installation = await openInstallation(deps.db);
  const engine = createAbsentEngine();
  return createServices({ ...deps, engine, clock: systemClock, installation, consoleFolder: null }, createLog(deps.config));
}

/** A command must neither start a supervisor nor speak to the one of the gateway that runs beside it. */
function createAbsentEngine(): ComputeEngine {
  const refuse = () => Promise.reject(new EngineUnreachable('an operator’s command has no engine'));
  return {
    kind: 'process',
    instanceId: '',
    open: refuse,
    close: () => Promise.resolve(),
    capabilities: refuse,
    health: refuse,
    missingCommands: refuse,
    ensureStarted: refuse,
    extendLease: refuse,
    stop: refuse,
    list: refuse,
    forget: refuse,
    deleteHome: refuse,
    sample: refuse,
    terminals: refuse,
    openTerminal: refuse,
    output: refuse,
    homeOf: refuse,
    makeHome: refuse,
    onChange: () => () => undefined,
  };
}
