import { statfs } from 'node:fs/promises';
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
import { openContainerHost } from '../container/containerHost';
import { homeName } from './homes';
import { availableMemoryBytes } from './host';
import { Journal } from './journal';
import { Lab } from './lab';
import { ImageUnavailable, type LabHost } from './labHost';
import { LimitWatch } from './limitWatch';
import type { SupervisorPaths } from './paths';
import { ProcessHost } from './processHost';
import { adoptLabs, recoverLabs } from './recovery';
import type { SupervisorSettings } from './settings';
import { checkAbilities, checkSpec } from './specCheck';
import { Terminal, type TerminalReader } from './terminal';

const terminalsPerLab = 16;

/** Owns every sandbox, terminal and lease of one DATA_DIR; knows nothing of money. */
export class Supervisor {
  isDraining = false;
  private readonly limitWatch: LimitWatch;
  private readonly sightingTimer: NodeJS.Timeout;
  private sightingFailure: string | null = null;
  private readonly labs: Map<string, Lab>;

  private constructor(
    readonly instanceId: string,
    private readonly settings: SupervisorSettings,
    private readonly paths: SupervisorPaths,
    private readonly journal: Journal,
    private readonly host: LabHost,
    private readonly log: Logger,
    private readonly onChange: () => void,
  ) {
    this.labs = new Map();
    this.limitWatch = new LimitWatch(settings, {
      homes: host.homes,
      hasCgroups: host.countsKills,
      living: () => this.living(),
      log,
    });
    this.sightingTimer = setInterval(() => void this.see().catch(() => undefined), settings.sightingMs);
  }

  /** Probes the host, books or adopts what an earlier supervisor left, and begins to watch. Only the lock's holder calls it. */
  static async open(instanceId: string, settings: SupervisorSettings, paths: SupervisorPaths, log: Logger, onChange: () => void) {
    const journal = await Journal.open(paths.journal);
    const host =
      settings.engine === 'container'
        ? await openContainerHost(instanceId, settings, paths, log)
        : await ProcessHost.open(instanceId, settings, paths, log);
    const supervisor = new Supervisor(instanceId, settings, paths, journal, host, log, onChange);
    const labOf = (spec: LabSpec) => new Lab(spec, journal, log, (changed) => supervisor.handleChange(changed));
    const adopted = await adoptLabs(journal, host, labOf);
    for (const [ref, lab] of await recoverLabs(journal, instanceId, adopted, log)) supervisor.labs.set(ref, lab);
    for (const lab of adopted) await supervisor.limitWatch.measure(lab);
    log.info({ labs: supervisor.labs.size, adopted: adopted.length }, 'supervisor is up');
    return supervisor;
  }

  get engine(): SupervisorSettings['engine'] {
    return this.settings.engine;
  }

  living(): Lab[] {
    return [...this.labs.values()].filter((lab) => lab.isAlive);
  }

  capabilities(): EngineCapabilities {
    return this.host.capabilities();
  }

  health(): { isHealthy: boolean; detail: string } {
    if (this.sightingFailure) return { isHealthy: false, detail: `labs cannot be vouched for: ${this.sightingFailure}` };
    return this.isDraining ? { isHealthy: false, detail: 'draining: no new labs' } : this.host.health();
  }

  missingCommands(commands: readonly string[]): string[] {
    return this.host.missingCommands(commands);
  }

  /** Accepts a lab once; what was accepted before, ended or not, is left as it is. Throws `EngineRefused`. */
  async ensureStarted(spec: LabSpec, isUnsandboxedAllowed: boolean): Promise<void> {
    checkSpec(spec);
    if (this.labs.has(spec.ref)) return;
    if (this.journal.state.forgotten.includes(spec.ref))
      throw new EngineRefused('engine_error', `${spec.ref} has run and was forgotten`);
    if (this.isDraining) throw new EngineRefused('engine_error', 'the supervisor is draining');
    this.host.check(spec, isUnsandboxedAllowed);
    const lab = new Lab(spec, this.journal, this.log, (changed) => this.handleChange(changed));
    if (this.host.capabilities().hasImages) lab.state = 'queued';
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
    await this.host.forget(ref);
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
    return this.host.sample(labs);
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
      terminal = new Terminal(
        ...([lab.place.sandbox.openShell(size), this.settings.stuckReaderMs] as const),
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
    this.host.close();
  }

  private async launch(lab: Lab): Promise<void> {
    try {
      await lab.begin(await this.host.start(lab));
      await this.limitWatch.measure(lab);
    } catch (error) {
      this.log.error({ err: error, ref: lab.spec.ref }, 'lab did not start');
      if (lab.place) lab.stop('start_failed', 0, wordsOf(error));
      else await lab.failStart(error instanceof ImageUnavailable ? 'image_unavailable' : 'start_failed', wordsOf(error));
    }
  }

  /** Writes one line over all running labs; the times it holds are the ones that may be told. */
  private async see(): Promise<Map<string, number>> {
    const living = this.living();
    await this.host.see(living);
    const running = living.filter((lab) => lab.state === 'running');
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
      this.host.release(lab.place);
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

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
