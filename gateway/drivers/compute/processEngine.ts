import type { Logger } from 'pino';
import { type ComputeEngine, EngineUnreachable } from './computeEngine';
import { preparePaths, readInstanceId } from './supervisor/paths';
import { type CallName, type Calls, protocolVersion } from './supervisor/protocol';
import type { SupervisorSettings } from './supervisor/settings';
import { ControlChannel, greetSupervisor } from './supervisorClient';
import { startSupervisor, supervisorCommand } from './supervisorProcess';
import { attachTerminal } from './terminalClient';

const openTimeoutMs = 30_000;
const callTimeoutMs = 20_000;
const firstRetryMs = 20;
const lastRetryMs = 5000;

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
  const link = new SupervisorLink(options);
  return {
    kind: 'process',
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

/** Keeps one control channel alive: starts the supervisor when none runs and comes back with growing pauses. */
class SupervisorLink {
  readonly instanceId: string;
  private live: ControlChannel | null = null;
  private lastFailure = 'the engine was not opened';
  private isWanted = false;
  private reconnecting: NodeJS.Timeout | null = null;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly options: ProcessEngineOptions) {
    this.instanceId = readInstanceId(preparePaths(options.dataDir));
  }

  /** Throws `EngineUnreachable` or `EngineRefused`. */
  async call<K extends CallName>(call: K, params: Calls[K]['params']): Promise<Calls[K]['result']> {
    return this.requireLive().call(call, params);
  }

  requireLive(): ControlChannel {
    if (!this.live) throw new EngineUnreachable(this.lastFailure);
    return this.live;
  }

  async open(): Promise<void> {
    this.isWanted = true;
    if (this.live) return;
    const deadlineMs = performance.now() + openTimeoutMs;
    let isStarted = false;
    for (let retryMs = firstRetryMs; ; retryMs = Math.min(retryMs * 1.5, 250)) {
      if (await this.tryConnect(!isStarted)) return;
      isStarted = true;
      // A supervisor that drains has labs of its own to see off; that is not waited for here.
      if (performance.now() > deadlineMs || this.lastFailure.includes('asked to drain')) break;
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
    this.reconnectLater(firstRetryMs);
    throw new EngineUnreachable(this.lastFailure);
  }

  close(): void {
    this.isWanted = false;
    if (this.reconnecting) clearTimeout(this.reconnecting);
    this.reconnecting = null;
    this.live?.close();
    this.live = null;
    this.lastFailure = 'the engine was closed';
    this.listeners.clear();
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private async tryConnect(mayStart: boolean): Promise<boolean> {
    const { dataDir, settings, log } = this.options;
    try {
      const greeted = await greetSupervisor(dataDir, { protocol: protocolVersion, channel: 'control' });
      if (!this.isWanted) {
        greeted.socket.destroy();
        return true;
      }
      if (greeted.welcome.instanceId !== this.instanceId) {
        greeted.socket.destroy();
        throw new EngineUnreachable('the supervisor belongs to another DATA_DIR');
      }
      const channel = new ControlChannel(greeted, callTimeoutMs, {
        onChange: () => this.changed(),
        onClose: () => this.handleLoss(channel),
      });
      this.live = channel;
      return true;
    } catch (error) {
      if (!(error instanceof EngineUnreachable)) throw error;
      this.lastFailure = error.message;
      const isAnswered = error.message.includes('asked to drain');
      if (mayStart && !isAnswered)
        startSupervisor({ ...settings, dataDir }, this.options.supervisorCommand ?? supervisorCommand(), log);
      return false;
    }
  }

  private handleLoss(channel: ControlChannel): void {
    if (this.live !== channel) return;
    this.live = null;
    this.lastFailure = 'the supervisor hung up';
    if (!this.isWanted) return;
    this.options.log.warn('the connection to the supervisor was lost');
    this.changed();
    this.reconnectLater(firstRetryMs);
  }

  private reconnectLater(retryMs: number): void {
    if (!this.isWanted || this.reconnecting) return;
    this.reconnecting = setTimeout(() => {
      this.reconnecting = null;
      this.tryConnect(true)
        .then((isConnected) => (isConnected ? this.changed() : this.reconnectLater(Math.min(retryMs * 2, lastRetryMs))))
        .catch((error: unknown) => {
          this.options.log.error({ err: error }, 'the supervisor cannot be reached');
          this.reconnectLater(lastRetryMs);
        });
    }, retryMs);
    this.reconnecting.unref();
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}
