import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import type { TerminalStream } from '../../drivers/compute/computeEngine';
import { createInputBudget } from './inputBudget';
import { readResize, type SocketTimes, TerminalSocket } from './terminalSocket';

const MEGABYTE = 1_048_576;

/** A shell that prints as fast as it is let, like `yes`. */
class FloodingStream implements TerminalStream {
  readonly terminalId = 'flood';
  readonly replay = new Uint8Array();
  printedBytes = 0;
  receivedBytes = 0;
  pauses = 0;
  isDetached = false;
  private isPaused = false;
  private listener: (chunk: Uint8Array) => void = () => undefined;

  constructor(private readonly endAtBytes: number) {}

  onData(listener: (chunk: Uint8Array) => void): void {
    this.listener = listener;
    this.print();
  }
  onClose(): void {}
  write(chunk: Uint8Array): void {
    this.receivedBytes += chunk.byteLength;
  }
  resize(): void {}
  pause(): void {
    this.pauses += 1;
    this.isPaused = true;
  }
  resume(): void {
    this.isPaused = false;
    this.print();
  }
  detach(): void {
    this.isDetached = true;
    this.isPaused = true;
  }

  private print(): void {
    while (!this.isPaused && this.printedBytes < this.endAtBytes) {
      this.printedBytes += 16_384;
      this.listener(Buffer.alloc(16_384, 'y'));
    }
  }
}

describe('a terminal socket', () => {
  let server: Server;
  let webSockets: WebSocketServer;
  beforeEach(async () => {
    server = createServer();
    webSockets = new WebSocketServer({ server, perMessageDeflate: false });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    for (const client of webSockets.clients) client.terminate();
    webSockets.close();
    server.close();
    await once(server, 'close');
  });

  async function connect(
    stream: TerminalStream,
    times?: SocketTimes,
  ): Promise<{ client: WebSocket; server: WebSocket; terminal: TerminalSocket }> {
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const [accepted] = await once(webSockets, 'connection');
    const opened = once(client, 'open');
    client.on('message', () => undefined);
    await opened;
    const terminal = new TerminalSocket(accepted, stream, () => performance.now(), times);
    return { client, server: accepted, terminal };
  }

  it('holds a flood back for a reader that stalls, and lets all of it through when that reads on', async () => {
    const stream = new FloodingStream(64 * MEGABYTE);
    const { client, server: socket } = await connect(stream);
    client.pause();
    let receivedBytes = 0;
    const before = stream.printedBytes;
    await new Promise((resolve) => setImmediate(resolve));

    expect(stream.pauses).toBeGreaterThan(0);
    expect(socket.bufferedAmount).toBeLessThan(2 * MEGABYTE);
    // What one pause lets out, beside what the system's own buffers hold.
    expect(before).toBeLessThan(16 * MEGABYTE);

    const all = new Promise<void>((resolve) => {
      client.on('message', (frame: Buffer, isBinary) => {
        receivedBytes += isBinary ? frame.byteLength : 0;
        expect(socket.bufferedAmount).toBeLessThan(2 * MEGABYTE);
        if (receivedBytes >= 60 * MEGABYTE && stream.printedBytes >= 64 * MEGABYTE) resolve();
      });
    });
    client.resume();
    await all;
    expect(stream.printedBytes).toBe(64 * MEGABYTE);
  });

  it('slows a large paste down and loses none of it', async () => {
    const stream = new FloodingStream(0);
    const { client } = await connect(stream);
    const startedMs = performance.now();

    for (let sent = 0; sent < 8; sent += 1) client.send(Buffer.alloc(16_384));
    while (stream.receivedBytes < 8 * 16_384) await new Promise((resolve) => setTimeout(resolve, 20));

    // Twice the budget of a second: the second half waits for about a second.
    expect(performance.now() - startedMs).toBeGreaterThan(700);
  });

  it('ends the attachment, not the shell, when the tab goes', async () => {
    const stream = new FloodingStream(0);
    const { client, server: socket } = await connect(stream);

    client.close();
    await once(socket, 'close');

    expect(stream.isDetached).toBe(true);
  });

  it('ends a connection that answers no ping', async () => {
    const { client, server: socket } = await connect(new FloodingStream(0), { pingEveryMs: 40, idleAfterMs: 60_000 });
    client.pause();

    const [code] = await once(socket, 'close');

    expect(code).toBe(1006);
  });

  it('lets a connection that answers pings live, and ends it when nobody uses it', async () => {
    const { client } = await connect(new FloodingStream(0), { pingEveryMs: 30, idleAfterMs: 200 });
    const startedMs = performance.now();
    const said = once(client, 'close');

    const [, reason] = await said;

    expect(String(reason)).toBe('IDLE');
    expect(performance.now() - startedMs).toBeGreaterThan(150);
  });
});

describe('the input budget', () => {
  it('waits for what is beyond the budget and refills with time', () => {
    let nowMs = 0;
    const budget = createInputBudget({ bytesPerSecond: 1_000, burstBytes: 1_000, monotonicMs: () => nowMs });

    expect(budget.take(1_000)).toBe(0);
    expect(budget.take(500)).toBe(500);
    nowMs = 500;
    expect(budget.take(0)).toBe(0);
    nowMs = 60_000;
    expect(budget.take(1_001)).toBe(1);
  });
});

describe('a resize', () => {
  it.each([
    ['{"type":"resize","cols":100,"rows":30}', { cols: 100, rows: 30 }],
    ['{"type":"resize","cols":1,"rows":100000}', { cols: 20, rows: 200 }],
    ['{"type":"resize","cols":1.5,"rows":30}', null],
    ['{"type":"resize","cols":"100","rows":30}', null],
    ['{"type":"resize"}', null],
    ['{"type":"exec"}', null],
    ['null', null],
    ['', null],
    ['{', null],
  ])('%s is read as %j', (text, size) => {
    expect(readResize(text)).toEqual(size);
  });
});
