import type { Logger } from 'pino';
import { EngineUnreachable } from './computeEngine';
import { preparePaths, readInstanceId } from './supervisor/paths';
import { type CallName, type Calls, protocolVersion } from './supervisor/protocol';
import type { SupervisorSettings } from './supervisor/settings';
import { ControlChannel, DifferentVersion, greetSupervisor } from './supervisorClient';
import { startSupervisor, supervisorCommand } from './supervisorProcess';

const openTimeoutMs = 30_000;
const callTimeoutMs = 20_000;
const firstRetryMs = 20;
/** While one that was started comes up; and otherwise. */
const longestRetryMs = { starting: 100, absent: 5000 };

export interface SupervisorLinkOptions {
  dataDir: string;
  log: Logger;
  settings?: Partial<Omit<SupervisorSettings, 'dataDir'>>;
  supervisorCommand?: string[];
}

/** Keeps one control channel alive: starts the supervisor when none runs and comes back with growing pauses. */
export class SupervisorLink {
  readonly instanceId: string;
  private live: ControlChannel | null = null;
  private lastFailure = 'the engine was not opened';
  private isWanted = false;
  private isStarting = false;
  private timer: NodeJS.Timeout | null = null;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly options: SupervisorLinkOptions) {
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

  /** Throws `EngineUnreachable` and goes on trying in the background. */
  async open(): Promise<void> {
    this.isWanted = true;
    if (this.live) return;
    const deadlineMs = performance.now() + openTimeoutMs;
    for (let retryMs = firstRetryMs; performance.now() < deadlineMs; retryMs = this.nextRetryMs(retryMs)) {
      const reached = await this.tryConnect();
      if (reached === 'connected') return;
      // A supervisor that drains has labs of its own to see off; that is not waited for here.
      if (reached === 'draining') break;
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
    this.reconnectLater(firstRetryMs);
    throw new EngineUnreachable(this.lastFailure);
  }

  close(): void {
    this.isWanted = false;
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.live?.close();
    this.live = null;
    this.lastFailure = 'the engine was closed';
    this.listeners.clear();
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private async tryConnect(): Promise<'connected' | 'absent' | 'draining'> {
    try {
      const greeted = await greetSupervisor(this.options.dataDir, {
        protocol: protocolVersion,
        channel: 'control',
        engine: this.options.settings?.engine ?? 'process',
      });
      if (!this.isWanted || greeted.welcome.instanceId !== this.instanceId) {
        greeted.socket.destroy();
        throw new EngineUnreachable(this.isWanted ? 'the supervisor belongs to another DATA_DIR' : 'the engine was closed');
      }
      const channel = new ControlChannel(greeted, callTimeoutMs, {
        onChange: () => this.changed(),
        onClose: () => this.handleLoss(channel),
      });
      this.live = channel;
      return 'connected';
    } catch (error) {
      if (!(error instanceof EngineUnreachable)) throw error;
      this.lastFailure = error.message;
      if (error instanceof DifferentVersion) return 'draining';
      if (this.isWanted) this.start();
      return 'absent';
    }
  }

  /** One at a time: a supervisor that found another at work, or one just leaving, ends and makes room for the next try. */
  private start(): void {
    if (this.isStarting) return;
    this.isStarting = true;
    const { dataDir, settings, log } = this.options;
    startSupervisor({ ...settings, dataDir }, this.options.supervisorCommand ?? supervisorCommand(), log, () => {
      this.isStarting = false;
    });
  }

  private nextRetryMs(retryMs: number): number {
    return Math.min(retryMs * 1.5, this.isStarting ? longestRetryMs.starting : longestRetryMs.absent);
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
    if (!this.isWanted || this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.tryConnect()
        .then((reached) => (reached === 'connected' ? this.changed() : this.reconnectLater(this.nextRetryMs(retryMs))))
        .catch((error: unknown) => {
          this.options.log.error({ err: error }, 'the supervisor cannot be reached');
          this.reconnectLater(longestRetryMs.absent);
        });
    }, retryMs);
    this.timer.unref();
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}
