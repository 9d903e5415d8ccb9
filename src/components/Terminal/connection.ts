import { type TerminalByeReason, terminalProtocol } from '../../../gateway/contract/terminal';

/** Where a terminal's connection stands; `ended` states are final until somebody opens it again. */
export type ConnectionStatus =
  | { kind: 'connecting' }
  | { kind: 'connected' }
  | { kind: 'waiting'; retryInMs: number }
  | { kind: 'offline' }
  | { kind: 'exited'; exitCode: number | null }
  | { kind: 'closed'; reason: string }
  | { kind: 'refused'; message: string };

export interface TerminalTicket {
  ticket: string;
  path: string;
  terminalId: string;
}

export interface ConnectionOptions {
  terminalId: string | undefined;
  getTicket: (terminalId?: string) => Promise<TerminalTicket>;
  onOutput: (bytes: Uint8Array) => void;
  /** What the terminal printed before this attachment: it replaces whatever the screen shows. */
  onReplay: (bytes: Uint8Array) => void;
  onStatus: (status: ConnectionStatus) => void;
  onTerminalId: (terminalId: string) => void;
  /** A refusal that asking again cannot change. */
  isFinal: (error: Error) => boolean;
  openSocket?: (url: string, protocols: string[]) => WebSocket;
}

const RETRY_MS: readonly number[] = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
const CONNECT_TIMEOUT_MS = 10_000;
/** A connection that held this long was a good one: the next loss starts from the shortest wait. */
const STEADY_MS = 5_000;
/** `WebSocket.OPEN`. */
const OPEN = 1;
/** After these the gateway is only away for a while; after any other, coming back by itself is of no use or not wanted. */
const passingReasons: readonly string[] = ['UNREACHABLE', 'SHUTDOWN'] satisfies TerminalByeReason[];

interface ServerMessage {
  type?: unknown;
  terminalId?: unknown;
  exitCode?: unknown;
  reason?: unknown;
}

function parseMessage(text: string): ServerMessage {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === 'object' && message !== null ? message : {};
  } catch {
    // A message that is not JSON is one this version does not know; it is passed over like an unknown type.
    return {};
  }
}

function socketUrl(path: string): string {
  const url = new URL(path, window.location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.toString();
}

/**
 * Keeps one terminal connected. Every attempt takes a new one-use ticket for the same terminal; the gateway then replays the
 * screen, so nothing is lost when the network, the gateway or the laptop's lid goes. The shell ends only by itself.
 */
export class TerminalConnection {
  private terminalId: string | undefined;
  private socket: WebSocket | null = null;
  private isEnded = false;
  private failures = 0;
  private size: { cols: number; rows: number } | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts attempts, so that whatever a former one still answers is ignored. */
  private attempt = 0;
  /** The next bytes are the replay of a terminal that was there before this attachment. */
  private isReplayDue = false;

  constructor(private readonly options: ConnectionOptions) {
    this.terminalId = options.terminalId;
    window.addEventListener('online', this.retryNow);
    this.open();
  }

  send(bytes: Uint8Array): void {
    if (this.isOpen()) this.socket?.send(bytes);
  }

  resize(cols: number, rows: number): void {
    if (this.size?.cols === cols && this.size.rows === rows) return;
    this.size = { cols, rows };
    this.sendSize();
  }

  /** Tries at once instead of waiting for the next attempt. */
  readonly retryNow = (): void => {
    if (!this.isEnded && !this.isOpen()) this.open();
  };

  /** Leaves the shell running. */
  close(): void {
    this.isEnded = true;
    window.removeEventListener('online', this.retryNow);
    this.dropSocket();
  }

  private isOpen(): boolean {
    return this.socket?.readyState === OPEN;
  }

  private sendSize(): void {
    if (this.size && this.isOpen()) this.socket?.send(JSON.stringify({ type: 'resize', ...this.size }));
  }

  private dropSocket(): void {
    clearTimeout(this.timer);
    this.attempt += 1;
    const old = this.socket;
    this.socket = null;
    old?.close();
  }

  private end(status: ConnectionStatus): void {
    this.close();
    this.options.onStatus(status);
  }

  private async open(): Promise<void> {
    this.dropSocket();
    const mine = this.attempt;
    this.options.onStatus({ kind: 'connecting' });
    this.timer = setTimeout(() => this.retryLater(), CONNECT_TIMEOUT_MS);
    const hasPast = this.terminalId !== undefined;
    try {
      const ticket = await this.options.getTicket(this.terminalId);
      if (mine !== this.attempt) return;
      this.terminalId = ticket.terminalId;
      this.isReplayDue = hasPast;
      this.attach(ticket);
    } catch (error) {
      if (mine !== this.attempt) return;
      const failure = error instanceof Error ? error : new Error(String(error));
      if (this.options.isFinal(failure)) this.end({ kind: 'refused', message: failure.message });
      else this.retryLater();
    }
  }

  private attach({ path, ticket }: TerminalTicket): void {
    const mine = this.attempt;
    const openSocket = this.options.openSocket ?? ((url, protocols) => new WebSocket(url, protocols));
    let openedAt = 0;
    const socket = openSocket(socketUrl(path), [terminalProtocol, `ticket.${ticket}`]);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.onopen = () => {
      if (mine !== this.attempt) return;
      openedAt = performance.now();
      this.sendSize();
    };
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (mine !== this.attempt) return;
      if (typeof data === 'string') this.handleMessage(parseMessage(data));
      else this.handleBytes(new Uint8Array(data as ArrayBuffer));
    };
    socket.onclose = () => {
      if (mine !== this.attempt) return;
      if (openedAt > 0 && performance.now() - openedAt >= STEADY_MS) this.failures = 0;
      this.retryLater();
    };
  }

  private handleBytes(bytes: Uint8Array): void {
    const isReplay = this.isReplayDue;
    this.isReplayDue = false;
    if (isReplay) this.options.onReplay(bytes);
    else this.options.onOutput(bytes);
  }

  private handleMessage(message: ServerMessage): void {
    if (message.type === 'ready') {
      clearTimeout(this.timer);
      if (typeof message.terminalId === 'string') this.terminalId = message.terminalId;
      if (this.terminalId) this.options.onTerminalId(this.terminalId);
      this.options.onStatus({ kind: 'connected' });
      this.sendSize();
    } else if (message.type === 'exit') {
      this.end({ kind: 'exited', exitCode: typeof message.exitCode === 'number' ? message.exitCode : null });
    } else if (message.type === 'bye') {
      const reason = String(message.reason ?? '');
      if (!passingReasons.includes(reason)) this.end({ kind: 'closed', reason });
    }
  }

  private retryLater(): void {
    this.dropSocket();
    if (navigator.onLine === false) {
      this.options.onStatus({ kind: 'offline' });
      return;
    }
    const baseMs = RETRY_MS[Math.min(this.failures, RETRY_MS.length - 1)] ?? 15_000;
    // A fifth of jitter, so that a class does not come back to a restarted gateway in one instant.
    const retryInMs = Math.round(baseMs * (0.9 + Math.random() * 0.2));
    this.failures += 1;
    this.options.onStatus({ kind: 'waiting', retryInMs });
    this.timer = setTimeout(() => this.open(), retryInMs);
  }
}
