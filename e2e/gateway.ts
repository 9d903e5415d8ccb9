import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test as base, expect } from '@playwright/test';
import { startChild } from '../gateway/testing/childProcess';
import { type GatewayProcess, startGatewayProcess } from '../gateway/testing/gatewayProcess';
import { MemberClient } from './memberClient';
import { findSupervisor } from './supervisor';

const BUILD = resolve(__dirname, '../build/gateway');
const CODE_LIMIT_MS = 10_000;

interface OutboxMessage {
  channel: string;
  to: string;
  scene: string;
  text: string;
  code: string;
  at: string;
}

/** The built gateway with its own data folder and port, to be killed and started again in a journey. */
export class E2eGateway {
  private constructor(
    readonly dataDir: string,
    readonly origin: string,
    private readonly env: Record<string, string>,
    private running: GatewayProcess,
  ) {}

  static async start(env: Record<string, string> = {}): Promise<E2eGateway> {
    const dataDir = await mkdtemp(join(tmpdir(), 'atelier-e2e-'));
    const fixed = { COMPUTE_ENGINE: 'process', PORT: String(await findFreePort()), ...env };
    const started = await startGatewayProcess(dataDir, { entry: join(BUILD, 'main.js'), env: fixed });
    return new E2eGateway(dataDir, started.origin, fixed, started);
  }

  async kill9(): Promise<void> {
    await this.running.end('SIGKILL');
  }

  /** Starts it again on the same data folder and port. */
  async restart(): Promise<void> {
    this.running = await startGatewayProcess(this.dataDir, { entry: join(BUILD, 'main.js'), env: this.env });
  }

  async stop(): Promise<number | null> {
    return this.running.end('SIGTERM');
  }

  output(): string {
    return this.running.output();
  }

  /** Every message to a phone, the newest last; without a number, every message. */
  async readOutbox(to?: string): Promise<OutboxMessage[]> {
    const folder = join(this.dataDir, 'outbox');
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).sort();
    const messages = await Promise.all(
      names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as OutboxMessage),
    );
    return messages.filter((message) => to === undefined || message.to === to);
  }

  /** The newest code sent to a phone, as soon as it is there. */
  async readCode(to: string): Promise<string> {
    for (const until = Date.now() + CODE_LIMIT_MS; Date.now() < until; await new Promise((wake) => setTimeout(wake, 50))) {
      const newest = (await this.readOutbox(to)).at(-1);
      if (newest) return newest.code;
    }
    throw new Error(`No message to ${to} in ${CODE_LIMIT_MS} ms`);
  }

  /** A member's calls without the browser. */
  newMember(): MemberClient {
    return new MemberClient(this.origin, (mobile) => this.readCode(mobile));
  }

  /** `npm run verify` on this gateway's live database. */
  async runVerify(): Promise<{ exitCode: number | null; output: string }> {
    const child = startChild(join(BUILD, 'verify.js'), { DATA_DIR: this.dataDir });
    const exitCode = await child.exited;
    return { exitCode, output: child.output() };
  }

  /** Nothing of it stays: neither labs, which would outlive the gateway, nor files. */
  async remove(): Promise<void> {
    await this.stop();
    const supervisor = findSupervisor(this.dataDir);
    if (supervisor !== null) process.kill(supervisor, 'SIGTERM');
    while (findSupervisor(this.dataDir) !== null) await new Promise((wake) => setTimeout(wake, 50));
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

function findFreePort(): Promise<number> {
  return new Promise((found, failed) => {
    const server = createServer().once('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => found(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** Journeys take `gateway`: a fresh one for each, and `baseURL` points to it. */
export const test = base.extend<{ gateway: E2eGateway }>({
  gateway: async ({ browserName: _ }, use, testInfo) => {
    const gateway = await E2eGateway.start();
    await use(gateway);
    if (testInfo.status !== testInfo.expectedStatus) await testInfo.attach('gateway.log', { body: gateway.output() });
    await gateway.remove();
  },
  baseURL: async ({ gateway }, use) => use(gateway.origin),
});

export { expect };
