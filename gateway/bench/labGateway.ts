import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import type { Calls } from '../contract/calls';
import type { Envelope } from '../contract/contract';
import { terminalProtocol } from '../contract/terminal';
import { readProcess } from '../drivers/compute/supervisor/procTree';
import { protocolVersion } from '../drivers/compute/supervisor/protocol';
import { greetSupervisor } from '../drivers/compute/supervisorClient';
import { buildMember, type TestMember } from '../testing/factories';
import { type GatewayProcess, startGatewayProcess } from '../testing/gatewayProcess';
import { fillDatabase, onBenchServer } from './benchDatabase';

/** The built gateway with real labs, and a member of the highest level who is signed in to it. */
export interface LabGateway {
  process: GatewayProcess;
  dataDir: string;
  call<K extends keyof Calls>(
    key: K,
    input?: { query?: Record<string, string>; body?: Calls[K]['body'] },
  ): Promise<Calls[K]['data']>;
  openTerminal(workshopId: string): Promise<WebSocket>;
}

export async function onLabGateway(work: (gateway: LabGateway) => Promise<void>): Promise<void> {
  await onBenchServer(async (server) => {
    const url = await server.createDatabase('labs');
    let member: TestMember | null = null;
    await fillDatabase(url, async (db) => {
      member = await buildMember(db, { levelFlag: 3, remainDcuMicro: 1_000_000_000_000n });
    });
    if (!member) return;
    const dataDir = join(server.folder, 'data');
    const process = await startGatewayProcess(dataDir, {
      entry: 'build/gateway/main.js',
      env: { DATABASE_URL: url, REQUESTS_PER_SECOND: '0', COMPUTE_ENGINE: 'process' },
    });
    try {
      await work({ process, dataDir, ...asMember(process.origin, member) });
    } catch (cause) {
      throw new Error(`the gateway said: ${process.output()}`, { cause });
    } finally {
      await process.end('SIGTERM');
      await endSupervisor(dataDir);
      await rm(dataDir, { recursive: true, force: true });
    }
  });
}

export function cookieOf({ loginSessionId, loginSecret }: TestMember): string {
  return `sessionId=${loginSessionId}; atelier=${loginSecret}`;
}

function asMember(origin: string, member: TestMember): Pick<LabGateway, 'call' | 'openTerminal'> {
  const headers = { origin, 'sec-fetch-site': 'same-origin', cookie: cookieOf(member) };
  async function call<K extends keyof Calls>(
    key: K,
    { query, body }: { query?: Record<string, string>; body?: Calls[K]['body'] } = {},
  ): Promise<Calls[K]['data']> {
    const [method = '', path = ''] = key.split(' ');
    const response = await fetch(`${origin}${path}${query ? `?${new URLSearchParams(query)}` : ''}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const envelope = (await response.json()) as Envelope<Calls[K]['data']>;
    if (!envelope.success || envelope.data === null) throw new Error(`${key} was refused: ${envelope.code} ${envelope.msg}`);
    return envelope.data;
  }
  return {
    call,
    async openTerminal(workshopId) {
      const { ticket, path } = await call('POST /gateway/workshop/terminal', { body: { workshopId } });
      return new WebSocket(`${origin.replace('http', 'ws')}${path}`, [terminalProtocol, `ticket.${ticket}`], { headers });
    },
  };
}

/** Ends the supervisor of a data folder with its labs, and waits until it has let go of the folder. */
export async function endSupervisor(dataDir: string): Promise<void> {
  const greeted = await greetSupervisor(dataDir, { protocol: protocolVersion, channel: 'control' }).catch(() => null);
  if (!greeted) return;
  process.kill(greeted.welcome.supervisorPid, 'SIGTERM');
  greeted.socket.destroy();
  while (readProcess(greeted.welcome.supervisorPid)) await new Promise((resolve) => setTimeout(resolve, 20));
}
