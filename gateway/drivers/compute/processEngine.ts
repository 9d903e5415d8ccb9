import type { Logger } from 'pino';
import { type ComputeEngine, EngineUnreachable } from './computeEngine';
import { findHome } from './supervisor/homes';
import type { SupervisorSettings } from './supervisor/settings';
import { SupervisorLink } from './supervisorLink';
import { attachTerminal } from './terminalClient';

export interface ProcessEngineOptions {
  dataDir: string;
  log: Logger;
  /** Asked at each start while labs cannot be isolated: loopback and alone, or allowed by name. */
  isUnsandboxedAllowed: () => Promise<boolean>;
  /** How a supervisor that has to be started runs; one that runs already keeps its own. */
  settings?: Partial<Omit<SupervisorSettings, 'dataDir'>>;
  supervisorCommand?: string[];
}

/**
 * Labs as processes of this machine, owned by a detached supervisor that outlives the gateway. Every call throws
 * `EngineUnreachable` while the supervisor does not answer; it is started again and reached in the background.
 */
export function createProcessEngine(options: ProcessEngineOptions): ComputeEngine {
  return supervisedEngine('process', options);
}

/** An engine whose labs a supervisor owns, whatever they are. */
export function supervisedEngine(kind: 'process' | 'container', options: ProcessEngineOptions): ComputeEngine {
  const link = new SupervisorLink(options);
  return {
    kind,
    instanceId: link.instanceId,
    open: () => link.open(),
    close: async () => link.close(),
    capabilities: () => link.call('capabilities', {}),
    health: () => readHealth(link),
    missingCommands: (commands) => link.call('missingCommands', { commands }),
    ensureStarted: async (spec) => {
      const { isolation } = await link.call('capabilities', {});
      const isUnsandboxedAllowed = isolation !== 'none' || (await options.isUnsandboxedAllowed());
      await link.call('ensureStarted', { spec, isUnsandboxedAllowed });
    },
    extendLease: async (ref, leaseLimitMs) => {
      await link.call('extendLease', { ref, leaseLimitMs });
    },
    stop: async (ref, { graceMs }) => {
      await link.call('stop', { ref, graceMs });
    },
    list: () => link.call('list', {}),
    forget: async (ref) => {
      await link.call('forget', { ref });
    },
    deleteHome: async (workshopId) => {
      await link.call('deleteHome', { workshopId });
    },
    sample: (refs) => link.call('sample', { refs }),
    terminals: (ref) => link.call('terminals', { ref }),
    output: async (ref, { tailBytes }) => Buffer.from(await link.call('output', { ref, tailBytes }), 'base64'),
    makeHome: async (workshopId) => {
      await link.call('makeHome', { workshopId });
    },
    homeOf: async (workshopId) => findHome(options.dataDir, workshopId),
    openTerminal: async (ref, terminal) => {
      link.requireLive();
      return attachTerminal(options.dataDir, ref, terminal);
    },
    onChange: (listener) => link.onChange(listener),
  };
}

async function readHealth(link: SupervisorLink) {
  try {
    return await link.call('health', {});
  } catch (error) {
    if (error instanceof EngineUnreachable) return { isHealthy: false, detail: error.message };
    throw error;
  }
}
