import { Readable, type Writable } from 'node:stream';

/**
 * Frames between the gateway and an agent, over the agent's standard streams: four bytes of length, one of kind, four of the call's
 * number, then the payload. Many calls share the pipe, so each stream has a window of its own: a slow reader holds up nobody else.
 */
export const frameKind = { ask: 1, answer: 2, fail: 3, chunk: 4, end: 5, credit: 6, cancel: 7 } as const;

const HEAD_BYTES = 9;
export const mostFrameBytes = 8 * 1024 ** 2;
const WINDOW_BYTES = 512 * 1024;
const CHUNK_BYTES = 64 * 1024;
const NOTHING = Buffer.alloc(0);

/** What the other side says of a call; chunks and credits are the wire's own business. */
export type WireListener = (kind: number, id: number, payload: Buffer) => void;

interface Inflow {
  stream: Readable;
  waiting: (Buffer | null)[];
  waitingBytes: number;
}

interface Outflow {
  credit: number;
  source: Readable;
  wake: (() => void) | null;
}

export class Wire {
  private readonly inflows = new Map<number, Inflow>();
  private readonly outflows = new Map<number, Outflow>();
  private pieces: Buffer[] = [];
  private gathered = 0;

  constructor(
    input: Readable,
    private readonly output: Writable,
    private readonly listener: WireListener,
    private readonly onBroken: (error: Error) => void,
  ) {
    input.on('data', (piece: Buffer) => this.take(piece));
  }

  send(kind: number, id: number, payload: Buffer = NOTHING): boolean {
    const head = Buffer.allocUnsafe(HEAD_BYTES);
    head.writeUInt32BE(payload.length + HEAD_BYTES - 4, 0);
    head.writeUInt8(kind, 4);
    head.writeUInt32BE(id, 5);
    this.output.write(head);
    return payload.length === 0 || this.output.write(payload);
  }

  sendJson(kind: number, id: number, value: unknown): void {
    this.send(kind, id, Buffer.from(JSON.stringify(value)));
  }

  /** What comes in on a call. Destroyed before its end, it tells the other side to stop. */
  openInflow(id: number): Readable {
    const inflow: Inflow = {
      waiting: [],
      waitingBytes: 0,
      stream: new Readable({
        highWaterMark: CHUNK_BYTES,
        read: () => this.drain(id, inflow),
        destroy: (error, done) => {
          if (this.inflows.delete(id) && !inflow.stream.readableEnded) this.send(frameKind.cancel, id);
          done(error);
        },
      }),
    };
    this.inflows.set(id, inflow);
    return inflow.stream;
  }

  /** The inflow of a call fails with this error: what it was to bring will not come. */
  failInflow(id: number, error: Error): void {
    const inflow = this.inflows.get(id);
    this.inflows.delete(id);
    inflow?.stream.destroy(error);
  }

  /** Sends a stream to its end, as fast as the other side takes it. False when that side has had enough; throws as the source does. */
  async pour(id: number, source: Readable): Promise<boolean> {
    const outflow: Outflow = { credit: WINDOW_BYTES, source, wake: null };
    this.outflows.set(id, outflow);
    try {
      for await (const piece of source) {
        for (let start = 0; start < piece.length; start += CHUNK_BYTES) {
          const chunk = piece.subarray(start, start + CHUNK_BYTES);
          while (outflow.credit < chunk.length) await new Promise<void>((resolve) => this.rest(outflow, resolve));
          outflow.credit -= chunk.length;
          if (!this.send(frameKind.chunk, id, chunk)) await this.drained();
        }
      }
    } catch (error) {
      if (this.outflows.get(id) !== outflow) return false;
      throw error;
    } finally {
      if (this.outflows.get(id) === outflow) this.outflows.delete(id);
    }
    return true;
  }

  /** The other side wants no more of what is poured. */
  stopOutflow(id: number): void {
    const outflow = this.outflows.get(id);
    if (!outflow) return;
    this.outflows.delete(id);
    outflow.source.destroy(new Error('nobody reads it any more'));
    outflow.wake?.();
  }

  /** Nothing more comes or goes. */
  break(error: Error): void {
    for (const id of [...this.inflows.keys()]) this.failInflow(id, error);
    for (const id of [...this.outflows.keys()]) this.stopOutflow(id);
  }

  private rest(outflow: Outflow, resolve: () => void): void {
    if (outflow.source.destroyed) {
      // Its destruction ends the loop at the next piece.
      outflow.credit = WINDOW_BYTES;
      resolve();
    } else outflow.wake = resolve;
  }

  private drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.output.off('drain', done).off('close', done);
        resolve();
      };
      this.output.on('drain', done).on('close', done);
    });
  }

  private drain(id: number, inflow: Inflow): void {
    while (inflow.waiting.length > 0) {
      const chunk = inflow.waiting.shift() ?? null;
      if (chunk === null) {
        this.inflows.delete(id);
        inflow.stream.push(null);
        return;
      }
      inflow.waitingBytes -= chunk.length;
      const credit = Buffer.allocUnsafe(4);
      credit.writeUInt32BE(chunk.length, 0);
      this.send(frameKind.credit, id, credit);
      if (!inflow.stream.push(chunk)) return;
    }
  }

  private take(piece: Buffer): void {
    this.pieces.push(piece);
    this.gathered += piece.length;
    while (this.gathered >= HEAD_BYTES) {
      const first = this.pieces[0] ?? NOTHING;
      const length = (first.length >= 4 ? first : this.joined()).readUInt32BE(0) + 4;
      if (length < HEAD_BYTES || length > mostFrameBytes) {
        this.onBroken(new Error(`a frame of ${length} bytes`));
        return;
      }
      if (this.gathered < length) return;
      const bytes = this.joined();
      const rest = bytes.subarray(length);
      this.pieces = rest.length > 0 ? [rest] : [];
      this.gathered = rest.length;
      this.dispatch(bytes.readUInt8(4), bytes.readUInt32BE(5), bytes.subarray(HEAD_BYTES, length));
    }
  }

  private joined(): Buffer {
    const [only, ...others] = this.pieces;
    if (only && others.length === 0) return only;
    const bytes = Buffer.concat(this.pieces);
    this.pieces = [bytes];
    return bytes;
  }

  private dispatch(kind: number, id: number, payload: Buffer): void {
    if (kind === frameKind.credit) {
      const outflow = this.outflows.get(id);
      if (!outflow || payload.length !== 4) return;
      outflow.credit += payload.readUInt32BE(0);
      outflow.wake?.();
      return;
    }
    if (kind === frameKind.cancel) this.stopOutflow(id);
    if (kind === frameKind.chunk || kind === frameKind.end) {
      const inflow = this.inflows.get(id);
      if (inflow) {
        inflow.waiting.push(kind === frameKind.end ? null : payload);
        if (kind === frameKind.chunk) inflow.waitingBytes += payload.length;
        if (inflow.waitingBytes > WINDOW_BYTES) {
          this.onBroken(new Error('more than was asked for'));
          return;
        }
        this.drain(id, inflow);
      }
    }
    if (kind !== frameKind.chunk) this.listener(kind, id, payload);
  }
}
