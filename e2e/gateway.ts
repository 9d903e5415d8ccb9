import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { test as base, expect } from '@playwright/test';
import { startChild } from '../gateway/testing/childProcess';
import { type GatewayProcess, startGatewayProcess } from '../gateway/testing/gatewayProcess';
import { MemberClient } from './memberClient';
import { type Secret, Secrets } from './secrets';
import { findSupervisor } from './supervisor';

const BUILD = resolve(__dirname, '../build/gateway');
/** What every gateway of the suite wrote, and what it must not have written. */
export const LOG_FOLDER = resolve(__dirname, '../test-results/logs');
const CODE_LIMIT_MS = 10_000;

export interface KeptLog {
  log: string;
  secrets: Secret[];
}

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
  /** To be filled by whoever types or is given a secret; the last test looks for them in the logs. */
  readonly secrets = new Secrets();
  private readonly earlierOutput: string[] = [];

  private constructor(
    readonly dataDir: string,
    readonly origin: string,
    private readonly env: Record<string, string>,
    private running: GatewayProcess,
  ) {}

  static async start(env: Record<string, string> = {}): Promise<E2eGateway> {
    const dataDir = await mkdtemp(join(tmpdir(), 'atelier-e2e-'));
    const fixed = { COMPUTE_ENGINE: 'process', PORT: String(await findFreePort()), LOG_LEVEL: 'debug', ...env };
    const started = await startGatewayProcess(dataDir, { entry: join(BUILD, 'main.js'), env: fixed });
    return new E2eGateway(dataDir, started.origin, fixed, started);
  }

  async kill9(): Promise<void> {
    await this.running.end('SIGKILL');
    this.earlierOutput.push(this.running.output());
  }

  /** Starts it again on the same data folder and port. */
  async restart(): Promise<void> {
    this.running = await startGatewayProcess(this.dataDir, { entry: join(BUILD, 'main.js'), env: this.env });
  }

  async stop(): Promise<number | null> {
    return this.running.end('SIGTERM');
  }

  output(): string {
    return [...this.earlierOutput, this.running.output()].join('\n');
  }

  /** Every message to a phone, the newest last; without a number, every message. */
  async readOutbox(to?: string): Promise<OutboxMessage[]> {
    const folder = join(this.dataDir, 'outbox');
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).sort();
    const messages = await Promise.all(
      names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as OutboxMessage),
    );
    for (const { code, to: number } of messages) {
      this.secrets.add('code', code);
      this.secrets.add('number', number);
    }
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
    return new MemberClient(this.origin, (mobile) => this.readCode(mobile), this.secrets);
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
    await this.keepLog();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Leaves for the last test what was written, also by the gateway's database and supervisor. */
  private async keepLog(): Promise<void> {
    await this.readOutbox();
    const files = ['postgres', 'supervisor'].map((folder) => readLogs(join(this.dataDir, folder)));
    const kept: KeptLog = { log: [this.output(), ...(await Promise.all(files))].join('\n'), secrets: this.secrets.list() };
    await mkdir(LOG_FOLDER, { recursive: true });
    await writeFile(join(LOG_FOLDER, `${basename(this.dataDir)}.json`), JSON.stringify(kept));
  }
}

async function readLogs(folder: string): Promise<string> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.log'));
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
}

export function findFreePort(): Promise<number> {
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
