import type { Logger } from 'pino';
import type { EndReason, LabProgress, LabSpec, Observed } from '../computeEngine';
import { OutputTail } from '../outputTail';
import type { LabGroup } from './cgroups';
import type { Journal, JournaledEnd } from './journal';
import { type Process, signalMarked } from './procTree';
import type { Sandbox } from './sandbox';
import type { Terminal } from './terminal';
import { CpuMeter, ProcessPass } from './usage';

/** Longest a lapsed lab's programs get to save their work; not counted as run time. */
export const lapsedGraceMs = 2000;
const stopPollMs = 50;
/** Node's timers hold no more. */
const longestTimerMs = 2 ** 31 - 1;

const monotonicMs = () => Number(process.hrtime.bigint() / 1_000_000n);

/** What a lab borrows while it lives. */
export interface LabPlace {
  sandbox: Sandbox;
  group: LabGroup | null;
  cores: number[];
}

/** One lab from acceptance to its booked end; every step is in the journal before it can be seen. */
export class Lab {
  state: Observed['state'] = 'starting';
  place: LabPlace | null = null;
  leaseLimitMs: number;
  homeBytes: number | null = null;
  /** Bytes its home may reach: the quota, or what it held at the start if that was more, so that a full home can be tidied. */
  homeLimitBytes: number;
  /** While queued or pulling. */
  progress: LabProgress | null = null;
  readonly terminals = new Map<string, Terminal>();
  readonly printed = new OutputTail();
  readonly cpu = new CpuMeter();
  private startedAtMs: number | null = null;
  private ranMs = 0;
  private end: { endReason: EndReason; exitCode: number | null; detail: string } | null = null;
  private leaseTimer: NodeJS.Timeout | null = null;
  private ending: { reason: EndReason; detail: string; killAtMs: number } | null = null;

  constructor(
    readonly spec: LabSpec,
    private readonly journal: Journal,
    private readonly log: Logger,
    private readonly onChange: (lab: Lab) => void,
  ) {
    this.leaseLimitMs = spec.leaseLimitMs;
    this.homeLimitBytes = spec.diskBytes;
  }

  /** A lab an earlier supervisor knew; it is over, whatever it was. */
  static fromJournal(spec: LabSpec, leaseLimitMs: number, end: JournaledEnd, journal: Journal, log: Logger): Lab {
    const lab = new Lab(spec, journal, log, () => {});
    lab.state = 'ended';
    lab.leaseLimitMs = leaseLimitMs;
    lab.ranMs = end.runningMs;
    lab.end = { endReason: end.endReason, exitCode: end.exitCode, detail: end.detail };
    return lab;
  }

  get isAlive(): boolean {
    return this.state !== 'ended';
  }

  /** Frozen from the moment the lab begins to stop; never beyond the lease. */
  runningMs(): number {
    if (this.state !== 'running' || this.startedAtMs === null) return this.ranMs;
    return Math.min(monotonicMs() - this.startedAtMs, this.leaseLimitMs);
  }

  /** What the engine vouches for; `runningMs` is the one that was journaled. */
  observe(runningMs: number): Observed {
    const { ref, sessionId, workshopId, installationId } = this.spec;
    const { endReason = null, exitCode = null, detail = '' } = this.end ?? {};
    return {
      ref,
      sessionId,
      workshopId,
      installationId,
      state: this.state,
      runningMs,
      leaseLimitMs: this.leaseLimitMs,
      endReason,
      exitCode,
      progress: this.progress,
      detail,
    };
  }

  /** The sandbox is up: the meter and the lease run from here. */
  async begin(place: LabPlace): Promise<void> {
    this.place = place;
    void place.sandbox.ended.then(({ exitCode, detail }) => this.finish(exitCode, detail));
    const { ref } = this.spec;
    const processes = place.sandbox.marks.map((process) => ({ type: 'process' as const, ref, process }));
    await this.journal.append(...processes, { type: 'seen', at: new Date().toISOString(), runningMs: { [ref]: 0 } });
    if (this.ending) {
      await place.sandbox.kill();
      return;
    }
    if (this.state !== 'starting') return;
    this.state = 'running';
    this.startedAtMs = monotonicMs();
    this.armLease();
    this.onChange(this);
  }

  async failStart(detail: string): Promise<void> {
    this.ending ??= { reason: 'start_failed', detail, killAtMs: 0 };
    await this.finish(null, detail);
  }

  async extendLease(leaseLimitMs: number): Promise<void> {
    if (!this.isAlive || leaseLimitMs <= this.leaseLimitMs) return;
    await this.journal.append({ type: 'lease', ref: this.spec.ref, leaseLimitMs });
    this.leaseLimitMs = Math.max(this.leaseLimitMs, leaseLimitMs);
    if (this.state === 'running') this.armLease();
  }

  /** Ends the lab: asks its programs, kills what is left after `graceMs`. Asked again, the earlier kill counts. */
  stop(reason: EndReason, graceMs: number, detail = ''): void {
    if (!this.isAlive) return;
    const killAtMs = monotonicMs() + graceMs;
    if (this.ending) {
      this.ending.killAtMs = Math.min(this.ending.killAtMs, killAtMs);
      return;
    }
    this.ranMs = this.runningMs();
    this.ending = { reason, detail, killAtMs };
    if (this.leaseTimer) clearTimeout(this.leaseTimer);
    if (this.state !== 'running') return;
    this.state = 'stopping';
    this.onChange(this);
    this.askThenKill(true);
  }

  /** Pids at the top of the lab's process tree. */
  rootPids(): number[] {
    const terminalPids = [...this.terminals.values()].map((terminal) => terminal.pid);
    return [...(this.place?.sandbox.rootPids() ?? []), ...terminalPids];
  }

  private askThenKill(isFirst: boolean): void {
    const { place, ending } = this;
    if (!place || !ending || !this.isAlive) return;
    const members = this.membersProcesses(place);
    if (isFirst) {
      for (const member of members) for (const signal of ['SIGTERM', 'SIGHUP', 'SIGCONT'] as const) signalMarked(member, signal);
    }
    if (members.length === 0 || monotonicMs() >= ending.killAtMs) void place.sandbox.kill();
    else setTimeout(() => this.askThenKill(false), stopPollMs);
  }

  private membersProcesses(place: LabPlace): Process[] {
    const holders = new Set([...this.terminals.values()].map((terminal) => terminal.pid));
    const tree = new ProcessPass().treeOf(this.rootPids());
    return tree.filter((process) => process.state !== 'Z' && !holders.has(process.pid) && place.sandbox.isMembers(process));
  }

  private armLease(): void {
    if (this.leaseTimer) clearTimeout(this.leaseTimer);
    const leftMs = this.leaseLimitMs - this.runningMs();
    const turn = () => (this.runningMs() >= this.leaseLimitMs ? this.stop('lease', lapsedGraceMs) : this.armLease());
    this.leaseTimer = setTimeout(turn, Math.min(Math.max(leftMs, 1), longestTimerMs));
  }

  private async finish(exitCode: number | null, printed: string): Promise<void> {
    if (this.end) return;
    this.ranMs = this.runningMs();
    if (this.leaseTimer) clearTimeout(this.leaseTimer);
    const isShortOfMemory = !this.ending && (this.place?.group?.oomKills() ?? 0) > 0;
    const endReason = this.ending?.reason ?? (isShortOfMemory ? 'out_of_memory' : 'exited');
    const end = { endReason, exitCode, detail: this.ending?.detail || printed };
    this.end = end;
    if (this.state === 'running') this.state = 'stopping';
    for (const terminal of [...this.terminals.values()]) terminal.close();
    try {
      await this.journal.append({ type: 'end', ref: this.spec.ref, runningMs: this.ranMs, ...end });
    } catch (error) {
      // Ended all the same; the journal writes it with its next rewrite.
      this.log.error({ err: error, ref: this.spec.ref }, 'an end could not be journaled');
    }
    this.state = 'ended';
    this.onChange(this);
  }
}
