import { type ConnectionOptions, type ConnectionStatus, TerminalConnection } from './connection';

const words = (bytes: Uint8Array) => Buffer.from(bytes).toString();
const bytesOf = (words: string) => Uint8Array.from(Buffer.from(words));

/** The browser's socket as far as a terminal uses it; the test is the gateway at its other end. */
class FakeSocket {
  readyState = 0;
  binaryType = '';
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  readonly sent: unknown[] = [];

  constructor(
    readonly url: string,
    readonly protocols: string[],
  ) {}

  send(frame: unknown) {
    this.sent.push(frame);
  }
  close() {
    this.readyState = 3;
  }
  accept() {
    this.readyState = 1;
    this.onopen?.();
  }
  say(message: object) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  print(words: string) {
    this.onmessage?.({ data: bytesOf(words).buffer });
  }
  drop() {
    this.readyState = 3;
    this.onclose?.();
  }
}

const ID = 'aaaaaaaa-0000-7000-8000-000000000001';

function open(terminalId?: string, more: Partial<ConnectionOptions> = {}) {
  const sockets: FakeSocket[] = [];
  const statuses: ConnectionStatus[] = [];
  const output: string[] = [];
  const replays: string[] = [];
  let tickets = 0;
  const getTicket = jest.fn(async (asked?: string) => {
    tickets += 1;
    return { ticket: `t${tickets}`, path: '/gateway/workshop/terminal/socket', terminalId: asked ?? ID };
  });
  const connection = new TerminalConnection({
    terminalId,
    getTicket,
    isFinal: () => false,
    onOutput: (bytes) => output.push(words(bytes)),
    onReplay: (bytes) => replays.push(words(bytes)),
    onStatus: (status) => statuses.push(status),
    onTerminalId: () => undefined,
    openSocket: (url, protocols) => {
      const socket = new FakeSocket(url, protocols);
      sockets.push(socket);
      return socket as Partial<WebSocket> as WebSocket;
    },
    ...more,
  });
  opened.push(connection);
  const last = () => {
    const socket = sockets.at(-1);
    if (!socket) throw new Error('no socket was opened');
    return socket;
  };
  const begin = async () => {
    await jest.advanceTimersByTimeAsync(0);
    last().accept();
    last().say({ type: 'ready', terminalId: ID });
  };
  return { connection, sockets, statuses, output, replays, getTicket, last, begin, kind: () => statuses.at(-1)?.kind };
}

const opened: TerminalConnection[] = [];
beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  for (const connection of opened.splice(0)) connection.close();
  jest.useRealTimers();
});

describe('a terminal connection', () => {
  it('connects with its one-use ticket as a sub-protocol', async () => {
    const terminal = open();
    await terminal.begin();

    expect(terminal.last().url).toBe('ws://localhost/gateway/workshop/terminal/socket');
    expect(terminal.last().protocols).toEqual(['atelier.terminal.v1', 'ticket.t1']);
    expect(terminal.kind()).toBe('connected');
  });

  it('shows the bytes of a new terminal as they come and sends what is typed as bytes', async () => {
    const terminal = open();
    await terminal.begin();

    terminal.last().print('lab$ ');
    terminal.connection.send(bytesOf('ls\r'));

    expect(terminal.output).toEqual(['lab$ ']);
    expect(terminal.replays).toEqual([]);
    expect(terminal.last().sent.map((frame) => words(frame as Uint8Array))).toEqual(['ls\r']);
  });

  it('tells the shell its size, once a size and again after every reconnection', async () => {
    const terminal = open();
    terminal.connection.resize(120, 40);
    await jest.advanceTimersByTimeAsync(0);
    terminal.last().accept();
    terminal.connection.resize(120, 40);
    terminal.connection.resize(80, 24);
    const size = (cols: number, rows: number) => JSON.stringify({ type: 'resize', cols, rows });
    expect(terminal.last().sent).toEqual([size(120, 40), size(80, 24)]);

    terminal.last().drop();
    await jest.advanceTimersByTimeAsync(1_000);
    terminal.last().accept();

    expect(terminal.sockets).toHaveLength(2);
    expect(terminal.last().sent).toEqual([size(80, 24)]);
  });

  it('comes back to the same terminal with a new ticket and replays its screen', async () => {
    const terminal = open();
    await terminal.begin();
    terminal.last().print('lab$ ');

    terminal.last().drop();
    expect(terminal.kind()).toBe('waiting');
    await jest.advanceTimersByTimeAsync(1_000);
    await terminal.begin();
    terminal.last().print('lab$ make\r\nall done');
    terminal.last().print('\r\nlab$ ');

    expect(terminal.getTicket).toHaveBeenLastCalledWith(ID);
    expect(terminal.last().protocols[1]).toBe('ticket.t2');
    expect(terminal.replays).toEqual(['lab$ make\r\nall done']);
    expect(terminal.output).toEqual(['lab$ ', '\r\nlab$ ']);
  });

  it('waits longer after every failure and starts over after a steady connection', async () => {
    const terminal = open();
    const waits = () => terminal.statuses.flatMap((status) => (status.kind === 'waiting' ? [status.retryInMs] : []));
    for (let failure = 0; failure < 7; failure += 1) {
      await jest.advanceTimersByTimeAsync(20_000);
      if (terminal.kind() === 'connecting') terminal.last().drop();
    }
    const grown = waits();
    expect(grown.slice(0, 5)).toEqual([...grown.slice(0, 5)].sort((one, other) => one - other));
    expect(Math.max(...grown)).toBeLessThanOrEqual(16_500);

    await jest.advanceTimersByTimeAsync(20_000);
    await terminal.begin();
    await jest.advanceTimersByTimeAsync(6_000);
    terminal.last().drop();

    expect(waits().at(-1)).toBeLessThanOrEqual(550);
  });

  it.each(['UNREACHABLE', 'SHUTDOWN'])('comes back after the gateway said %s', async (reason) => {
    const terminal = open();
    await terminal.begin();

    terminal.last().say({ type: 'bye', reason });
    terminal.last().drop();
    await jest.advanceTimersByTimeAsync(1_000);

    expect(terminal.sockets).toHaveLength(2);
  });

  it.each(['STOPPED', 'SIGNED_OUT', 'NOT_FOUND', 'LIMIT', 'IDLE', 'A_LATER_WORD'])(
    'stays away after the gateway said %s',
    async (reason) => {
      const terminal = open();
      await terminal.begin();

      terminal.last().say({ type: 'bye', reason });
      terminal.last().drop();
      await jest.advanceTimersByTimeAsync(60_000);

      expect(terminal.sockets).toHaveLength(1);
      expect(terminal.statuses.at(-1)).toEqual({ kind: 'closed', reason });
    },
  );

  it('ends with the shell and says its exit code', async () => {
    const terminal = open();
    await terminal.begin();

    terminal.last().say({ type: 'exit', exitCode: 3 });
    terminal.last().drop();
    await jest.advanceTimersByTimeAsync(60_000);

    expect(terminal.statuses.at(-1)).toEqual({ kind: 'exited', exitCode: 3 });
    expect(terminal.sockets).toHaveLength(1);
  });

  it('gives up where asking for a ticket again cannot help, and tries on where it can', async () => {
    const refused = open(ID, { getTicket: () => Promise.reject(new Error('not running')), isFinal: () => true });
    const busy = open(ID, { getTicket: () => Promise.reject(new Error('away')) });
    await jest.advanceTimersByTimeAsync(0);

    expect(refused.statuses.at(-1)).toEqual({ kind: 'refused', message: 'not running' });
    expect(busy.kind()).toBe('waiting');
  });

  it('tries at once when the network is back', async () => {
    const terminal = open();
    await terminal.begin();
    const online = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    terminal.last().drop();
    expect(terminal.kind()).toBe('offline');

    online.mockRestore();
    window.dispatchEvent(new Event('online'));
    await terminal.begin();

    expect(terminal.kind()).toBe('connected');
  });

  it('passes over frames it does not know', async () => {
    const terminal = open();
    await terminal.begin();

    terminal.last().onmessage?.({ data: '{broken' });
    terminal.last().say({ type: 'weather', sunny: true });

    expect(terminal.kind()).toBe('connected');
  });

  it('leaves the shell alone when it is closed', async () => {
    const terminal = open();
    await terminal.begin();

    terminal.connection.close();
    await jest.advanceTimersByTimeAsync(60_000);

    expect(terminal.last().readyState).toBe(3);
    expect(terminal.last().sent).toEqual([]);
    expect(terminal.sockets).toHaveLength(1);
  });
});
