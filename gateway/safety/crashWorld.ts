import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MemberClient } from '../../e2e/memberClient';
import { Secrets } from '../../e2e/secrets';
import type { Calls } from '../contract/calls';
import { errors } from '../contract/errors';
import type { FailpointName } from '../failpoint';
import { buildTestApp, type TestApp } from '../testing/buildTestApp';
import { bundleProgram } from '../testing/bundledGateway';
import { startChild } from '../testing/childProcess';
import type { TestMember } from '../testing/factories';
import type { GatewayProcess } from '../testing/gatewayProcess';
import { advance } from '../testing/testDatabase';

const POLL_MS = 25;
const LIMIT_MS = 60_000;
/** How far the clock of the database moves while something is waited for, and when a gateway is started again. */
const STEP_MS = 250;
const REST_MS = 20_000;

/** One database, looked at from here, and a gateway of its own process on it that dies and is started again. */
export class CrashWorld {
  /** How often the gateway died and was started again. */
  deaths = 0;
  /** How many requests were answered. */
  answers = 0;
  private gateway: GatewayProcess | null = null;
  private reviving: Promise<void> | null = null;
  private passing: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly test: TestApp,
    private readonly entry: string,
    private readonly dataDir: string,
    private readonly removeEntry: () => void,
  ) {}

  static async open(): Promise<CrashWorld> {
    const { entry, remove } = await bundleProgram('gateway/main.ts');
    const test = await buildTestApp();
    await advance(test.db, 0);
    return new CrashWorld(test, entry, await mkdtemp(join(tmpdir(), 'atelier-crash-')), remove);
  }

  async close(): Promise<void> {
    await this.gateway?.end('SIGKILL');
    await this.test.close();
    this.removeEntry();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Starts a gateway, one that is to die at a failpoint if one is named; it may be dead when this returns. */
  async start(name?: FailpointName): Promise<void> {
    await this.gateway?.end('SIGKILL');
    const child = startChild(this.entry, {
      ...{ DATA_DIR: this.dataDir, DATABASE_URL: this.test.url, PORT: '0', NODE_ENV: 'test', COMPUTE_ENGINE: 'simulated' },
      ...{ LOG_LEVEL: 'silent', REQUESTS_PER_SECOND: '0', TRACKER: 'off', ...(name ? { FAILPOINT: name } : {}) },
    });
    const ready = child.line(/^Atelier is ready on (\S+)$/).then(([, origin = '']) => origin);
    // What is due when it starts may end it before it says that it is ready.
    const origin = await ready.catch((error: unknown) => {
      if (name && child.process.signalCode === 'SIGKILL') return '';
      throw error;
    });
    this.gateway = { ...child, origin };
  }

  /** Ends the gateway as kill -9 does. */
  async kill(): Promise<void> {
    await this.gateway?.end('SIGKILL');
  }

  /** True once the gateway is dead; nobody but the failpoint or `kill` ends it. */
  isDead(): boolean {
    return this.gateway?.process.signalCode === 'SIGKILL';
  }

  /** Starts a dead gateway again, unarmed and a while later, so that what was begun is due; once, whoever sees it first. */
  async revive(): Promise<void> {
    this.reviving ??= this.startAgain().finally(() => {
      this.reviving = null;
    });
    await this.reviving;
  }

  private async startAgain(): Promise<void> {
    const code = await this.gateway?.exited;
    if (code !== null || !this.isDead()) throw new Error(`the gateway ended by itself with ${code}: ${this.gateway?.output()}`);
    this.deaths += 1;
    await this.pass(REST_MS);
    await this.start();
  }

  /** Asks until there is an answer, in the same words and under the same key, whatever dies meanwhile. */
  async ask<K extends keyof Calls>(
    member: TestMember,
    key: K,
    input: { query?: Record<string, string>; body?: Calls[K]['body'] },
    idempotencyKey?: string,
  ): Promise<Calls[K]['data']> {
    const headers: Record<string, string> = idempotencyKey ? { 'idempotency-key': idempotencyKey } : {};
    for (const patience = this.patience(); patience.isLeft(); await pause(POLL_MS)) {
      const reply = await this.reach((origin) => this.clientOf(member, origin).send(key, input, headers));
      if (reply?.envelope.success && reply.envelope.data !== null) return reply.envelope.data;
      // A gateway that lost its database or has just started asks to be asked again.
      if (reply && reply.envelope.code !== errors.UNAVAILABLE.code) {
        throw new Error(`${key} was refused: ${reply.envelope.code} ${reply.envelope.msg}`);
      }
    }
    throw new Error(`${key} was never answered: ${this.gateway?.output()}`);
  }

  /** Sends a form of the sandbox's cashier until it was received. */
  async postForm(path: string, fields: Record<string, string>): Promise<void> {
    const headers = { 'sec-fetch-site': 'same-origin' };
    const body = new URLSearchParams(fields);
    for (;;) {
      const answer = await this.reach((origin) => fetch(origin + path, { method: 'POST', headers, body, redirect: 'manual' }));
      // 409: it was received before, and what answered died.
      if (answer?.status === 303 || answer?.status === 409) return;
      if (answer) throw new Error(`the cashier answered ${answer.status}`);
    }
  }

  /** Waits, while time passes, until the tables say so; a gateway that dies meanwhile is started again. */
  async until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    for (const patience = this.patience(); patience.isLeft(); await pause(POLL_MS)) {
      if (await isSo()) return;
      if (this.isDead()) await this.revive();
      else await this.pass(STEP_MS);
    }
    throw new Error(`never ${what}: ${this.gateway?.output()}`);
  }

  /** Ends after a while in which the gateway lived: how long one that is killed over and over takes depends on the machine alone. */
  private patience(): { isLeft(): boolean } {
    let [deaths, until] = [this.deaths, performance.now() + LIMIT_MS];
    return {
      isLeft: () => {
        if (deaths !== this.deaths) [deaths, until] = [this.deaths, performance.now() + LIMIT_MS];
        return performance.now() < until;
      },
    };
  }

  /** Lets time pass; only one of those who wait can move it at a time. */
  private async pass(ms: number): Promise<void> {
    this.passing = this.passing.then(() => advance(this.test.db, ms));
    await this.passing;
  }

  /** What the gateway answers; null where it died of it, and is started again. */
  private async reach<T>(send: (origin: string) => Promise<T>): Promise<T | null> {
    if (this.reviving) await this.reviving;
    const asked = this.gateway;
    try {
      const answer = await send(asked?.origin ?? '');
      this.answers += 1;
      return answer;
    } catch (error) {
      // Anything but a broken connection is a fault of the test or of the gateway.
      if (!isConnectionLost(error)) throw error;
      if (this.reviving || asked === this.gateway) await this.revive();
      return null;
    }
  }

  private clientOf({ loginSessionId, loginSecret }: TestMember, origin: string): MemberClient {
    const client = new MemberClient(origin, async () => '', new Secrets());
    client.takeCookies([
      { name: 'sessionId', value: loginSessionId },
      { name: 'atelier', value: loginSecret },
    ]);
    return client;
  }
}

/** `fetch` says so with a TypeError of the outer realm, which is none in here. */
function isConnectionLost(error: unknown): boolean {
  return error !== null && typeof error === 'object' && 'name' in error && error.name === 'TypeError';
}
