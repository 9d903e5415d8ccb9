import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import type { HomePlace } from '../compute/computeEngine';
import type { NamespaceTools } from '../compute/supervisor/namespaceSandbox';
import type { Ask, Fail } from './agent/main';
import { agentCommand } from './agentCommand';
import { agentProgram } from './agentProgram';
import { HomeFilesError } from './homeFiles';
import { frameKind, Wire } from './wire';

const READY_MS = 10_000;
const READY_CALL = 0;

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** One agent process, which serves one home. */
export class Agent {
  readonly ended: Promise<void>;
  private readonly waiting = new Map<number, Waiting>();
  private readonly summaries = new Map<number, (summary: unknown) => void>();
  private readonly child;
  private readonly wire: Wire;
  private lastCall = READY_CALL;
  private words = '';
  private isOver = false;

  private constructor(tools: NamespaceTools | null, place: HomePlace, log: FastifyBaseLogger) {
    const { file, args, env } = agentCommand(tools, place);
    this.child = spawn(file, args, { cwd: '/', env, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] });
    const { stdin, stdout, stderr } = this.child;
    stderr.on('data', (piece: Buffer) => {
      this.words = (this.words + piece.toString()).slice(-2000);
    });
    // The types know of no fourth handle that can be written to.
    const programPipe = this.child.stdio[3] as Writable;
    for (const pipe of [stdin, programPipe]) pipe.on('error', () => this.child.kill('SIGKILL'));
    this.wire = new Wire(
      stdout,
      stdin,
      (...frame) => this.hear(...frame),
      (error) => {
        log.warn({ err: error }, 'an agent of files broke the protocol');
        this.child.kill('SIGKILL');
      },
    );
    this.ended = new Promise((resolve) => {
      const end = (detail: string) => {
        if (this.isOver) return;
        this.isOver = true;
        this.fail(new HomeFilesError('UNAVAILABLE', `the agent ended: ${detail}`));
        resolve();
      };
      this.child.once('error', (error) => end(error.message));
      this.child.once('close', (code, signal) => end(`${signal ?? code} ${this.words.trim()}`));
    });
    programPipe.end(agentProgram());
  }

  /** Resolves once it serves. Throws UNAVAILABLE. */
  static async start(tools: NamespaceTools | null, place: HomePlace, log: FastifyBaseLogger): Promise<Agent> {
    const agent = new Agent(tools, place, log);
    const timer = setTimeout(() => agent.child.kill('SIGKILL'), READY_MS);
    try {
      await new Promise((resolve, reject) => agent.waiting.set(READY_CALL, { resolve, reject }));
      return agent;
    } finally {
      clearTimeout(timer);
    }
  }

  get isAlive(): boolean {
    return !this.isOver;
  }

  ask<T>(ask: Ask): Promise<T> {
    return this.begin<T>(ask).answer;
  }

  /** Asks with a stream that follows. */
  async send<T>(ask: Ask, source: Readable): Promise<T> {
    const { id, answer } = this.begin<T>(ask);
    const pouring = this.wire.pour(id, source).then(
      (isWhole) => void (isWhole && this.wire.send(frameKind.end, id)),
      (error: unknown) => {
        this.wire.send(frameKind.fail, id);
        throw error;
      },
    );
    const [given, poured] = await Promise.allSettled([answer.finally(() => this.wire.stopOutflow(id)), pouring]);
    // A source that failed is the reason; what the agent says then follows from it.
    if (poured.status === 'rejected') throw poured.reason;
    if (given.status === 'rejected') throw given.reason;
    return given.value;
  }

  /** Asks for a stream; `onEnd` is told what the agent knows at its end, before the stream ends. */
  async receive(ask: Ask, onEnd: (summary: unknown) => void = () => undefined): Promise<Readable> {
    const id = this.lastCall + 1;
    const stream = this.wire.openInflow(id);
    this.summaries.set(id, onEnd);
    stream.once('close', () => this.summaries.delete(id));
    // Until somebody reads it, its failure is told by the answer.
    stream.on('error', () => undefined);
    try {
      await this.begin(ask).answer;
      return stream;
    } catch (error) {
      stream.destroy();
      throw error;
    }
  }

  /** Lets it finish what it does; then it leaves by itself. */
  leave(): void {
    this.child.stdin.end();
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  private begin<T>(ask: Ask): { id: number; answer: Promise<T> } {
    this.lastCall += 1;
    const id = this.lastCall;
    const answer = new Promise<T>((resolve, reject) => {
      if (this.isOver) reject(new HomeFilesError('UNAVAILABLE', 'the agent has ended'));
      else this.waiting.set(id, { resolve: resolve as (answer: unknown) => void, reject });
    });
    this.wire.sendJson(frameKind.ask, id, ask);
    return { id, answer };
  }

  private hear(kind: number, id: number, payload: Buffer): void {
    const waiting = this.waiting.get(id);
    if (kind === frameKind.answer && waiting) {
      this.waiting.delete(id);
      waiting.resolve(JSON.parse(payload.toString()));
    } else if (kind === frameKind.end) {
      this.summaries.get(id)?.(JSON.parse(payload.toString()));
    } else if (kind === frameKind.fail) {
      const { problem, detail }: Fail = JSON.parse(payload.toString());
      const error = problem ? new HomeFilesError(problem, detail) : new Error(`an agent of files failed: ${detail}`);
      this.waiting.delete(id);
      waiting?.reject(error);
      this.wire.failInflow(id, error);
    }
  }

  private fail(error: Error): void {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
    this.wire.break(error);
  }
}
