import type { Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import { type ComputeEngine, EngineRefused, EngineUnreachable } from '../compute/computeEngine';
import { measureFolder } from '../compute/supervisor/homes';
import { readHelp } from '../compute/supervisor/isolation';
import { findNamespaceTools } from '../compute/supervisor/namespaceSandbox';
import { Agent } from './agent';
import type { Ask } from './agent/main';
import { type HomeFileStat, type HomeFiles, HomeFilesError, type HomeFolder, type PackCounts, type WrittenFile } from './homeFiles';
import { partsOf } from './paths';

export interface AgentHomeFilesOptions {
  engine: Pick<ComputeEngine, 'homeOf' | 'makeHome' | 'capabilities'>;
  log: FastifyBaseLogger;
  /** How long an agent stays after its last use. */
  idleMs?: number;
  /** False runs agents without a sandbox, as where there are no namespaces. */
  isSandboxed?: boolean;
}

interface Served {
  agent: Promise<Agent>;
  uses: number;
  idle: NodeJS.Timeout | null;
  usedAt: number;
}

const IDLE_MS = 30_000;
const MEASURE_MS = 5_000;
/** An agent takes some 40 MB; beyond this many the one unused for longest leaves first. */
const MOST_AGENTS = 32;

/**
 * The files of homes that lie in folders of this machine. Each workshop's are served by a process of its own, which runs as the
 * home's uid in a sandbox that holds nothing but the home: whatever a name in it leads to, there is nothing else to be reached.
 */
export function createAgentHomeFiles(options: AgentHomeFilesOptions): HomeFiles {
  const pool = new AgentPool(options);
  const { engine } = options;
  return {
    hasHome: async (workshopId) => (await reach(() => engine.homeOf(workshopId))) !== null,
    list: async (workshopId, path) => {
      partsOf(path);
      if (path === '' && (await reach(() => engine.homeOf(workshopId))) === null) return { entries: [], isCut: false };
      return pool.ask<HomeFolder>(workshopId, { op: 'list', path });
    },
    stat: (workshopId, path) => pool.ask<HomeFileStat>(workshopId, { op: 'stat', path }),
    read: (workshopId, path, { start, end }) => pool.receive(workshopId, { op: 'read', path, start, end }),
    write: async (workshopId, path, source, writing) => {
      hear(source);
      await pool.makeHome(workshopId);
      return pool.use(workshopId, (agent) => agent.send<WrittenFile>({ op: 'write', path, options: writing }, source));
    },
    makeFolder: async (workshopId, path) => {
      await pool.makeHome(workshopId);
      await pool.ask(workshopId, { op: 'makeFolder', path });
    },
    rename: async (workshopId, path, to) => void (await pool.ask(workshopId, { op: 'rename', path, to })),
    delete: async (workshopId, paths) => void (await pool.ask(workshopId, { op: 'delete', paths: [...paths] })),
    zip: (workshopId, path) => pool.receive(workshopId, { op: 'zip', path }),
    pack: async (workshopId) => {
      let counts: PackCounts = { files: 0, leftOut: 0 };
      const stream = await pool.receive(workshopId, { op: 'pack' }, (summary) => {
        counts = summary as PackCounts;
      });
      return { stream, counts: () => counts };
    },
    unpack: async (workshopId, source, limits) => {
      hear(source);
      await pool.makeHome(workshopId);
      return pool.use(workshopId, (agent) => agent.send({ op: 'unpack', limits }, source));
    },
    usedBytes: async (workshopId) => {
      const place = await reach(() => engine.homeOf(workshopId));
      return place ? measureFolder(place.directory, MEASURE_MS) : 0;
    },
    close: () => pool.close(),
  };
}

/** A source may fail before anybody reads it; whoever then does hears of it. */
function hear(source: Readable): void {
  source.on('error', () => undefined);
}

class AgentPool {
  private readonly served = new Map<string, Served>();
  private isClosed = false;

  constructor(private readonly options: AgentHomeFilesOptions) {}

  async makeHome(workshopId: string): Promise<void> {
    const { engine } = this.options;
    if ((await reach(() => engine.homeOf(workshopId))) === null) await reach(() => engine.makeHome(workshopId));
  }

  ask<T>(workshopId: string, ask: Ask): Promise<T> {
    return this.use(workshopId, (agent) => agent.ask<T>(ask));
  }

  /** The agent is in use until the stream is over. */
  async receive(workshopId: string, ask: Ask, onEnd?: (summary: unknown) => void): Promise<Readable> {
    const served = this.take(workshopId);
    try {
      const stream = await (await served.agent).receive(ask, onEnd);
      stream.once('close', () => this.give(workshopId, served));
      return stream;
    } catch (error) {
      this.give(workshopId, served);
      throw error;
    }
  }

  async use<T>(workshopId: string, work: (agent: Agent) => Promise<T>): Promise<T> {
    const served = this.take(workshopId);
    try {
      return await work(await served.agent);
    } finally {
      this.give(workshopId, served);
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const agents = await Promise.allSettled([...this.served.values()].map(({ agent }) => agent));
    for (const { idle } of this.served.values()) clearTimeout(idle ?? undefined);
    await Promise.all(agents.map((one) => (one.status === 'fulfilled' ? one.value.kill() : undefined)));
    this.served.clear();
  }

  private take(workshopId: string): Served {
    if (this.isClosed) throw new HomeFilesError('UNAVAILABLE', 'closing');
    const served = this.served.get(workshopId) ?? this.begin(workshopId);
    served.uses += 1;
    served.usedAt = performance.now();
    clearTimeout(served.idle ?? undefined);
    return served;
  }

  private give(workshopId: string, served: Served): void {
    served.uses -= 1;
    if (served.uses > 0 || this.served.get(workshopId) !== served) return;
    served.idle = setTimeout(() => this.dismiss(workshopId, served), this.options.idleMs ?? IDLE_MS);
    served.idle.unref();
  }

  private begin(workshopId: string): Served {
    if (this.served.size >= MOST_AGENTS) {
      const [idlest] = [...this.served]
        .filter(([, { uses }]) => uses === 0)
        .sort(([, one], [, other]) => one.usedAt - other.usedAt);
      if (!idlest) throw new HomeFilesError('UNAVAILABLE', 'too many homes are open');
      this.dismiss(...idlest);
    }
    const served: Served = { agent: this.start(workshopId), uses: 0, idle: null, usedAt: 0 };
    this.served.set(workshopId, served);
    const drop = () => {
      if (this.served.get(workshopId) === served) this.served.delete(workshopId);
    };
    served.agent.then((agent) => agent.ended.then(drop), drop);
    return served;
  }

  private dismiss(workshopId: string, { agent, idle }: Served): void {
    clearTimeout(idle ?? undefined);
    this.served.delete(workshopId);
    // One that did not start has nothing to leave.
    agent.then(
      (one) => one.leave(),
      () => undefined,
    );
  }

  private async start(workshopId: string): Promise<Agent> {
    const { engine, log, isSandboxed = true } = this.options;
    const place = await reach(() => engine.homeOf(workshopId));
    if (!place) throw new HomeFilesError('NOT_FOUND', 'there is no home yet');
    const tools = isSandboxed && process.platform === 'linux' ? findNamespaceTools(readHelp) : null;
    if (!tools) return Agent.start(null, place, log);
    try {
      return await Agent.start(tools, place, log);
    } catch (error) {
      const { isolation } = await reach(() => engine.capabilities());
      // Where labs have no sandbox either, files have the checks of the agent itself.
      if (isolation === 'namespaces') throw error;
      log.warn({ err: error }, 'files are served without a sandbox');
      return Agent.start(null, place, log);
    }
  }
}

async function reach<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof EngineUnreachable || error instanceof EngineRefused) {
      throw new HomeFilesError('UNAVAILABLE', error.message);
    }
    throw error;
  }
}
