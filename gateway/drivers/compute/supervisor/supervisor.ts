import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import type { Logger } from 'pino';
import {
  type EndReason,
  type EngineCapabilities,
  EngineRefused,
  type LabSample,
  type LabSpec,
  type Listing,
  outputLimitBytes,
} from '../computeEngine';
import { BareSandbox, MarkerIndex } from './bareSandbox';
import { type Cgroups, probeCgroups } from './cgroups';
import { Homes, homeName } from './homes';
import { allowedCores, availableMemoryBytes, CoreShares, findProgram } from './host';
import { type Isolation, probeIsolation } from './isolation';
import { Journal } from './journal';
import { Lab } from './lab';
import { LimitWatch } from './limitWatch';
import { startNamespaceSandbox } from './namespaceSandbox';
import type { SupervisorPaths } from './paths';
import { recoverLabs } from './recovery';
import type { Sandbox, SandboxRequest } from './sandbox';
import type { SupervisorSettings } from './settings';
import { checkAbilities, checkSpec } from './specCheck';
import { Terminal, type TerminalReader } from './terminal';
import { folderBytes, heldBytes, ProcessPass } from './usage';

const terminalsPerLab = 16;

/** Owns every sandbox, terminal and lease of one DATA_DIR; knows nothing of money. */
export class Supervisor {
  isDraining = false;
  private readonly cores = new CoreShares(allowedCores());
  private readonly limitWatch: LimitWatch;
  private readonly sightingTimer: NodeJS.Timeout;
  private sightingFailure: string | null = null;

  private constructor(
    readonly instanceId: string,
    private readonly settings: SupervisorSettings,
    private readonly paths: SupervisorPaths,
    private readonly journal: Journal,
    private readonly labs: Map<string, Lab>,
    private readonly host: { isolation: Isolation; cgroups: Cgroups | null; homes: Homes; markers: MarkerIndex },
    private readonly log: Logger,
    private readonly onChange: () => void,
  ) {
    this.limitWatch = new LimitWatch(settings, {
      homes: host.homes,
      hasCgroups: host.cgroups !== null,
      living: () => this.living(),
      log,
    });
    this.sightingTimer = setInterval(() => void this.see().catch(() => undefined), settings.sightingMs);
  }

  /** Probes the host, books what an earlier supervisor left, and begins to watch. Only the lock's holder calls it. */
  static async open(instanceId: string, settings: SupervisorSettings, paths: SupervisorPaths, log: Logger, onChange: () => void) {
    const journal = await Journal.open(paths.journal);
    const markers = new MarkerIndex(instanceId);
    const labs = await recoverLabs(journal, markers, log);
    const cgroups = settings.limits === 'auto' ? probeCgroups(instanceId) : null;
    cgroups?.sweep();
    rmSync(paths.temp, { recursive: true, force: true });
    const isolation: Isolation =
      settings.isolation === 'none'
        ? { level: 'none', detail: 'switched off' }
        : await probeIsolation(paths.folder, paths.etc, cgroups);
    const homes = new Homes(paths.homes, isolation.level === 'namespaces' && isolation.hasOwnUids);
    await homes.eraseLeftovers();
    log.info({ isolation, memory: cgroups ? 'cgroup' : 'polled', labs: labs.size }, 'supervisor is up');
    return new Supervisor(instanceId, settings, paths, journal, labs, { isolation, cgroups, homes, markers }, log, onChange);
  }

  living(): Lab[] {
    return [...this.labs.values()].filter((lab) => lab.isAlive);
  }

  capabilities(): EngineCapabilities {
    const { isolation, cgroups } = this.host;
    const canPin = isolation.level === 'namespaces' || findProgram('taskset') !== null;
    return {
      isolation: isolation.level,
      cpuLimit: cgroups?.hasCpu ? 'quota' : canPin ? 'affinity' : 'none',
      memoryLimit: cgroups ? 'hard' : process.platform === 'linux' ? 'polled' : 'none',
      diskLimit: 'polled',
      network: isolation.level === 'namespaces' ? 'none' : 'egress',
      survivesGatewayRestart: true,
      hasImages: false,
      saveImage: 'home',
      maxCpuCores: this.cores.count,
      maxMemoryBytes: totalmem(),
    };
  }

  health(): { isHealthy: boolean; detail: string } {
    const { isolation } = this.host;
    const detail = isolation.level === 'none' ? `labs are not isolated: ${isolation.detail}` : 'labs are isolated by namespaces';
    if (this.sightingFailure) return { isHealthy: false, detail: `the journal cannot be written: ${this.sightingFailure}` };
    return this.isDraining ? { isHealthy: false, detail: 'draining: no new labs' } : { isHealthy: true, detail };
  }

  missingCommands(commands: readonly string[]): string[] {
    return commands.filter((command) => findProgram(command) === null);
  }

  /** Accepts a lab once; what was accepted before, ended or not, is left as it is. Throws `EngineRefused`. */
  async ensureStarted(spec: LabSpec, isUnsandboxedAllowed: boolean): Promise<void> {
    checkSpec(spec);
    if (this.labs.has(spec.ref)) return;
    if (this.journal.state.forgotten.includes(spec.ref))
      throw new EngineRefused('engine_error', `${spec.ref} has run and was forgotten`);
    if (this.isDraining) throw new EngineRefused('engine_error', 'the supervisor is draining');
    if (this.host.isolation.level === 'none' && !isUnsandboxedAllowed)
      throw new EngineRefused('unsandboxed', this.host.isolation.detail);
    const lab = new Lab(spec, this.journal, this.log, (changed) => this.handleChange(changed));
    // Taken before the first await, so that a repeated request cannot slip in between.
    this.labs.set(spec.ref, lab);
    try {
      await this.checkRoom(spec);
      await this.journal.append({ type: 'start', spec });
    } catch (error) {
      this.labs.delete(spec.ref);
      throw error;
    }
    void this.launch(lab);
  }

  async extendLease(ref: string, leaseLimitMs: number): Promise<void> {
    await this.require(ref).extendLease(leaseLimitMs);
  }

  stop(ref: string, graceMs: number): void {
    this.labs.get(ref)?.stop('stopped', graceMs);
  }

  /** Everything listed was journaled first, so that no crash can take a reported sighting back. */
  async list(): Promise<Listing> {
    const seen = await this.see();
    const labs = [...this.labs.values()].map((lab) => lab.observe(seen.get(lab.spec.ref) ?? lab.runningMs()));
    return { instanceId: this.instanceId, labs };
  }

  async forget(ref: string): Promise<void> {
    if (this.labs.get(ref)?.state !== 'ended') return;
    await this.journal.append({ type: 'forget', refs: [ref] });
    this.labs.delete(ref);
  }

  async deleteHome(workshopId: string): Promise<void> {
    if (!homeName.test(workshopId)) throw new EngineRefused('engine_error', 'not a workshop id');
    if (this.living().some((lab) => lab.spec.workshopId === workshopId)) {
      throw new EngineRefused('engine_error', `a lab of workshop ${workshopId} is running`);
    }
    await this.host.homes.delete(workshopId);
  }

  async sample(refs: readonly string[]): Promise<LabSample[]> {
    const wanted = new Set(refs);
    const labs = this.living().filter((lab) => wanted.has(lab.spec.ref) && lab.state === 'running');
    const pass = new ProcessPass();
    return Promise.all(
      labs.map(async (lab) => {
        const tree = pass.treeOf(lab.rootPids());
        return {
          ref: lab.spec.ref,
          sampledAtMs: Date.now(),
          cpuMsTotal: lab.cpu.update(tree),
          memoryBytes: heldBytes(tree) + (await folderBytes(lab.place?.sandbox.memoryFolders() ?? [])),
          diskBytes: lab.homeBytes,
          processes: tree.length,
          rxBytes: null,
          txBytes: null,
        };
      }),
    );
  }

  /** Throws `EngineRefused` for what is no workshop's id. */
  async makeHome(workshopId: string): Promise<void> {
    if (!homeName.test(workshopId)) throw new EngineRefused('engine_error', 'not a workshop id');
    await this.host.homes.ensure(workshopId);
  }

  terminals(ref: string): string[] {
    return [...this.require(ref).terminals.keys()];
  }

  output(ref: string, tailBytes: number): Uint8Array {
    return this.labs.get(ref)?.printed.read(Math.min(tailBytes, outputLimitBytes)) ?? new Uint8Array();
  }

  /** Attaches a reader, starting the shell if the terminal is new. Throws `EngineRefused`. */
  openTerminal(ref: string, terminalId: string, size: { cols: number; rows: number }, reader: TerminalReader): Terminal {
    const lab = this.require(ref);
    if (!homeName.test(terminalId)) throw new EngineRefused('engine_error', 'not a terminal id');
    if (lab.state !== 'running' || !lab.place) throw new EngineRefused('engine_error', `lab ${ref} is ${lab.state}`);
    let terminal = lab.terminals.get(terminalId);
    if (!terminal) {
      if (lab.terminals.size >= terminalsPerLab)
        throw new EngineRefused('capacity', `a lab has at most ${terminalsPerLab} terminals`);
      const command = lab.place.sandbox.terminalCommand();
      terminal = new Terminal(
        ...([command, size, this.settings.stuckReaderMs] as const),
        (chunk) => lab.printed.push(terminalId, chunk),
        () => lab.terminals.delete(terminalId),
      );
      lab.terminals.set(terminalId, terminal);
    }
    terminal.attach(reader, size);
    return terminal;
  }

  /** Ends every lab and leaves the journal in order: the machine goes down, or the supervisor was asked to. */
  async close(reason: EndReason, detail: string): Promise<void> {
    this.isDraining = true;
    clearInterval(this.sightingTimer);
    this.limitWatch.close();
    const living = this.living();
    for (const lab of living) lab.stop(reason, 0, detail);
    const deadlineMs = Date.now() + 10_000;
    while (this.living().length > 0 && Date.now() < deadlineMs) await new Promise((resolve) => setTimeout(resolve, 20));
    await this.journal.close();
    this.host.cgroups?.close();
  }

  private async launch(lab: Lab): Promise<void> {
    const { spec } = lab;
    const cores = this.host.cgroups?.hasCpu ? [] : this.cores.take(spec.cpuCores);
    let group: SandboxRequest['group'] = null;
    try {
      const home = await this.host.homes.ensure(spec.workshopId);
      for (const { target } of spec.mounts) await this.host.homes.makePlace(home, target);
      group = this.host.cgroups?.createGroup(groupName(spec.ref), spec) ?? null;
      const sandbox = await this.startSandbox({ spec, homePath: home.path, uid: home.uid, cores, group });
      await lab.begin({ sandbox, group, cores });
      await this.limitWatch.measure(lab);
    } catch (error) {
      this.log.error({ err: error, ref: spec.ref }, 'lab did not start');
      if (lab.place) {
        lab.stop('start_failed', 0, wordsOf(error));
        return;
      }
      this.cores.give(cores);
      group?.delete();
      await lab.failStart(wordsOf(error));
    }
  }

  private async startSandbox(request: SandboxRequest): Promise<Sandbox> {
    const { isolation, markers } = this.host;
    if (isolation.level === 'none') return new BareSandbox(this.instanceId, markers, request, this.paths.temp);
    return startNamespaceSandbox(isolation.tools, this.paths.etc, request);
  }

  /** Writes one line over all running labs; the times it holds are the ones that may be told. */
  private async see(): Promise<Map<string, number>> {
    const running = this.living().filter((lab) => lab.state === 'running');
    const seen = new Map(running.map((lab) => [lab.spec.ref, lab.runningMs()]));
    if (seen.size === 0) return seen;
    try {
      await this.journal.append({ type: 'seen', at: new Date().toISOString(), runningMs: Object.fromEntries(seen) });
      this.sightingFailure = null;
    } catch (error) {
      this.sightingFailure = wordsOf(error);
      this.log.error({ err: error }, 'sightings could not be journaled');
      throw error;
    }
    return seen;
  }

  private handleChange(lab: Lab): void {
    const { ref } = lab.spec;
    this.log.info({ ref, state: lab.state, ...(lab.isAlive ? {} : lab.observe(lab.runningMs())) }, 'lab changed');
    if (!lab.isAlive && lab.place) {
      this.cores.give(lab.place.cores);
      lab.place.group?.delete();
      lab.place = null;
    }
    this.onChange();
  }

  private require(ref: string): Lab {
    const lab = this.labs.get(ref);
    if (!lab) throw new EngineRefused('engine_error', `no lab ${ref}`);
    return lab;
  }

  private async checkRoom(spec: LabSpec): Promise<void> {
    checkAbilities(spec, this.capabilities());
    const freeMemory = availableMemoryBytes();
    if (freeMemory !== null && freeMemory < this.settings.minFreeMemoryBytes) {
      throw new EngineRefused('capacity', `only ${freeMemory} bytes of memory are free`);
    }
    const { bavail, bsize } = await statfs(this.paths.homes);
    if (bavail * bsize < this.settings.minFreeDiskBytes)
      throw new EngineRefused('disk_full', `only ${bavail * bsize} bytes of disk are free`);
  }
}

const groupName = (ref: string) => `lab-${createHash('sha256').update(ref).digest('hex').slice(0, 24)}`;

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
