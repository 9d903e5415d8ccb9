import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import { terminalProtocol, terminalSocketPath } from '../../contract/terminal';
import type { TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';

/** A terminal as a browser's tab has it, for tests over real HTTP. */
export interface TerminalTab {
  socket: WebSocket;
  /** Everything printed so far, replay first. */
  text(): string;
  messages: Record<string, unknown>[];
  /** Resolves when the text contains `wanted`. */
  printed(wanted: string): Promise<void>;
  /** Resolves with the first JSON message of a type. */
  said(type: string): Promise<Record<string, unknown>>;
  closed: Promise<{ code: number; reason: string }>;
}

export type Dial = { origin?: string | null; cookie?: string | null; ticket?: string; protocols?: string[] };

/** Where the app listens; starts it when it does not. */
export async function originOf(test: Pick<TestApp, 'app' | 'as'>): Promise<string> {
  if (!test.app.server.listening) await test.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = test.app.server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

export function cookieOf({ loginSessionId, loginSecret }: TestMember): string {
  return `sessionId=${loginSessionId}; atelier=${loginSecret}`;
}

export async function takeTicket(test: Pick<TestApp, 'app' | 'as'>, member: TestMember, workshopId: string, terminalId?: string) {
  const body = { workshopId, ...(terminalId ? { terminalId } : {}) };
  return (await test.as(member).send('POST /gateway/workshop/terminal', { body })).data;
}

function dial(origin: string, { origin: from = origin, cookie, ticket, protocols }: Dial): WebSocket {
  const offered = protocols ?? [terminalProtocol, ...(ticket === undefined ? [] : [`ticket.${ticket}`])];
  const headers = { ...(from === null ? {} : { origin: from }), ...(cookie ? { cookie } : {}) };
  return new WebSocket(`${origin.replace('http', 'ws')}${terminalSocketPath}`, offered, { headers });
}

/** The HTTP status an upgrade is refused with. */
export async function refusedWith(test: Pick<TestApp, 'app' | 'as'>, options: Dial): Promise<number> {
  const socket = dial(await originOf(test), options);
  return new Promise((resolve, reject) => {
    socket.on('unexpected-response', (_request, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    socket.on('open', () => {
      socket.terminate();
      reject(new Error('the upgrade was not refused'));
    });
    socket.on('error', () => undefined);
  });
}

/** Opens a tab; resolves once the socket is open. */
export async function openTab(test: Pick<TestApp, 'app' | 'as'>, options: Dial): Promise<TerminalTab> {
  const socket = dial(await originOf(test), options);
  const chunks: Buffer[] = [];
  const messages: Record<string, unknown>[] = [];
  const text = () => Buffer.concat(chunks).toString('utf8');
  socket.on('message', (frame: Buffer, isBinary) => {
    if (isBinary) chunks.push(frame);
    else messages.push(JSON.parse(frame.toString('utf8')));
  });
  const closed = once(socket, 'close').then(([code, reason]) => ({ code: Number(code), reason: String(reason) }));
  async function until<T>(look: () => T | undefined): Promise<T> {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      if (socket.readyState !== WebSocket.OPEN) throw new Error(`closed after: ${text()} ${JSON.stringify(messages)}`);
      await Promise.race([once(socket, 'message'), closed]);
    }
  }
  await once(socket, 'open');
  return {
    socket,
    text,
    messages,
    closed,
    printed: (wanted) => until(() => (text().includes(wanted) ? null : undefined)).then(() => undefined),
    said: (type) => until(() => messages.find((message) => message.type === type)),
  };
}
