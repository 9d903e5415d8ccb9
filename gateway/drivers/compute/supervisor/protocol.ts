import type { EngineCapabilities, EngineRefused, LabSample, LabSpec, Listing } from '../computeEngine';

/** Raised when a message changes its meaning; gateway and supervisor must agree on it. */
export const protocolVersion = 2;

/**
 * The first line on every connection. `drain` and its answer keep their shape for ever, so that any two versions can
 * part in peace: the supervisor takes no new lab, lets the living ones run to their leases, then leaves.
 */
export type Hello =
  /** `engine`: what labs are to be kept as; left out by who takes any. */
  | { protocol: number; channel: 'control'; engine?: 'process' | 'container' }
  | { protocol: number; channel: 'drain' }
  | { protocol: number; channel: 'terminal'; ref: string; terminalId: string; cols: number; rows: number };

export interface Welcome {
  protocol: number;
  instanceId: string;
  /** What it keeps labs as. */
  engine: 'process' | 'container';
  supervisorPid: number;
  livingLabs: number;
  isDraining: boolean;
}

export type WireError =
  | { kind: 'refused'; reason: EngineRefused['reason']; detail: string }
  | { kind: 'version' | 'internal'; detail: string };

/** Everything a gateway asks on the control channel: one JSON line each way, matched by `id`. */
export interface Calls {
  capabilities: { params: Record<never, never>; result: EngineCapabilities };
  health: { params: Record<never, never>; result: { isHealthy: boolean; detail: string } };
  missingCommands: { params: { commands: readonly string[] }; result: string[] };
  ensureStarted: { params: { spec: LabSpec; isUnsandboxedAllowed: boolean }; result: null };
  extendLease: { params: { ref: string; leaseLimitMs: number }; result: null };
  stop: { params: { ref: string; graceMs: number }; result: null };
  list: { params: Record<never, never>; result: Listing };
  forget: { params: { ref: string }; result: null };
  deleteHome: { params: { workshopId: string }; result: null };
  makeHome: { params: { workshopId: string }; result: null };
  sample: { params: { refs: readonly string[] }; result: LabSample[] };
  terminals: { params: { ref: string }; result: string[] };
  /** In base64. */
  output: { params: { ref: string; tailBytes: number }; result: string };
}

export type CallName = keyof Calls;

export interface Request {
  id: number;
  call: CallName;
  params: unknown;
}

export type Reply = { id: number; result: unknown } | { id: number; error: WireError };
export type Push = { event: 'change' };

/** Frames of a terminal's connection, after its two lines of greeting. */
export const frameType = { replay: 1, output: 2, exit: 3, input: 16, resize: 17 } as const;

export const maxLineBytes = 1024 ** 2;
export const maxFrameBytes = 1024 ** 2;
const headBytes = 5;

export function encodeFrame(type: number, payload: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(headBytes + payload.length);
  frame.writeUInt8(type, 0);
  frame.writeUInt32BE(payload.length, 1);
  frame.set(payload, headBytes);
  return frame;
}

export function encodeResize(cols: number, rows: number): Buffer {
  const payload = Buffer.allocUnsafe(4);
  payload.writeUInt16BE(Math.min(Math.max(Math.trunc(cols) || 1, 1), 1000), 0);
  payload.writeUInt16BE(Math.min(Math.max(Math.trunc(rows) || 1, 1), 1000), 2);
  return encodeFrame(frameType.resize, payload);
}

export function encodeExit(exitCode: number): Buffer {
  const payload = Buffer.allocUnsafe(4);
  payload.writeInt32BE(exitCode, 0);
  return encodeFrame(frameType.exit, payload);
}

/** Takes a byte stream apart: lines, and frames once `onFrame` is set. `push` throws when the other side breaks the limits. */
export class WireReader {
  onFrame: ((type: number, payload: Buffer) => void) | null = null;
  private held: Buffer = Buffer.alloc(0);
  private isStopped = false;

  constructor(public onLine: (line: string) => void) {}

  /** Nothing more is handed out until `resume`: the next handler is not in place yet. */
  stop(): void {
    this.isStopped = true;
  }

  resume(): void {
    this.isStopped = false;
    this.push(Buffer.alloc(0));
  }

  push(chunk: Buffer): void {
    this.held = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
    while (!this.isStopped && (this.onFrame ? this.takeFrame(this.onFrame) : this.takeLine()));
  }

  private takeLine(): boolean {
    const end = this.held.indexOf(0x0a);
    if (end < 0) {
      if (this.held.length > maxLineBytes) throw new Error('a line is too long');
      return false;
    }
    const line = this.held.toString('utf8', 0, end);
    this.held = this.held.subarray(end + 1);
    this.onLine(line);
    return true;
  }

  private takeFrame(onFrame: (type: number, payload: Buffer) => void): boolean {
    if (this.held.length < headBytes) return false;
    const length = this.held.readUInt32BE(1);
    if (length > maxFrameBytes) throw new Error('a frame is too long');
    if (this.held.length < headBytes + length) return false;
    const type = this.held.readUInt8(0);
    const payload = this.held.subarray(headBytes, headBytes + length);
    this.held = this.held.subarray(headBytes + length);
    onFrame(type, payload);
    return true;
  }
}
