import type { Logger } from 'pino';
import type { EndReason, LabProgress, LabSpec, Observed } from '../computeEngine';
import { OutputTail } from '../outputTail';
import type { LabGroup } from './cgroups';
import type { Journal, JournaledEnd } from './journal';
import type { Sandbox } from './sandbox';
import type { Terminal } from './terminal';
import { CpuMeter } from './usage';

/** Longest a lapsed lab's programs get to save their work; not counted as run time. */
export const lapsedGraceMs = 2000;
const stopPollMs = 50;
/** Node's timers hold no more. */
const longestTimerMs = 2 ** 31 - 1;

export const monotonicMs = () => Number(process.hrtime.bigint() / 1_000_000n);

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
  /** Aborted when the lab is to end before it runs. */
  readonly starting = new AbortController();
  /** When the time that is being counted began; null while none is. */
  private countingSinceMs: number | null = null;
  private ranMs = 0;
  private toldMs = 0;
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

  private get isComingUp(): boolean {
    return this.state === 'queued' || this.state === 'pulling' || this.state === 'starting';
  }

  get isAlive(): boolean {
    return this.state !== 'ended';
  }

  /** Frozen from the moment the lab begins to stop; never beyond the lease. */
  runningMs(): number {
    if (this.state !== 'running' || this.countingSinceMs === null) return this.ranMs;
    return Math.min(this.ranMs + monotonicMs() - this.countingSinceMs, this.leaseLimitMs);
  }

  /** What the engine vouches for; `runningMs` is the one that was journaled. */
  observe(runningMs: number): Observed {
    this.toldMs = Math.max(this.toldMs, runningMs);
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

  /** The sandbox is up: the meter and the lease run from here, on top of what an earlier supervisor saw. */
  async begin(place: LabPlace, ranMs = 0): Promise<void> {
    this.place = place;
    void place.sandbox.ended.then(({ exitCode, detail }) => this.finish(exitCode, detail));
    const { ref } = this.spec;
    const processes = place.sandbox.marks.map((process) => ({ type: 'process' as const, ref, process }));
    await this.journal.append(...processes, { type: 'seen', at: new Date().toISOString(), runningMs: { [ref]: ranMs } });
    if (this.ending) {
      await place.sandbox.kill();
      return;
    }
    if (!this.isComingUp) return;
    this.state = 'running';
    this.progress = null;
    this.ranMs = ranMs;
    this.countingSinceMs = monotonicMs();
    this.armLease();
    this.onChange(this);
  }

  /** How far the start is. */
  tell(state: 'queued' | 'pulling' | 'starting', progress: LabProgress | null): void {
    if (!this.isComingUp) return;
    const isNews = state !== this.state || progress?.percent !== this.progress?.percent;
    Object.assign(this, { state, progress });
    if (isNews) this.onChange(this);
  }

  /** Nobody sees it any more: time stops counting at what was seen last, but never below what was told. */
  suspend(seenAtMs: number): void {
    if (this.countingSinceMs === null || this.state !== 'running') return;
    const seenMs = this.ranMs + Math.max(0, seenAtMs - this.countingSinceMs);
    this.ranMs = Math.min(Math.max(seenMs, this.toldMs), this.leaseLimitMs);
    this.countingSinceMs = null;
    if (this.leaseTimer) clearTimeout(this.leaseTimer);
  }

  /** It is seen again: what lay between is free. */
  resume(): void {
    if (this.countingSinceMs !== null || this.state !== 'running') return;
    this.countingSinceMs = monotonicMs();
    this.armLease();
  }

  async failStart(reason: 'start_failed' | 'image_unavailable', detail: string): Promise<void> {
    this.ending ??= { reason, detail, killAtMs: 0 };
    await this.finish(null, detail);
  }

  async extendLease(leaseLimitMs: number): Promise<void> {
    if (!this.isAlive || leaseLimitMs <= this.leaseLimitMs) return;
    await this.journal.append({ type: 'lease', ref: this.spec.ref, leaseLimitMs });
    this.leaseLimitMs = Math.max(this.leaseLimitMs, leaseLimitMs);
    if (this.countingSinceMs !== null && this.state === 'running') this.armLease();
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
    if (this.isComingUp) this.starting.abort();
    if (this.state !== 'running') return;
    this.state = 'stopping';
    this.onChange(this);
    this.askThenKill(true);
  }

  /** Pids at the top of the lab's process tree. */
  rootPids(): number[] {
    return [...(this.place?.sandbox.rootPids() ?? []), ...this.holderPids()];
  }

  private askThenKill(isFirst: boolean): void {
    const { place, ending } = this;
    if (!place || !ending || !this.isAlive) return;
    if (isFirst) place.sandbox.askToEnd(this.holderPids());
    if (monotonicMs() >= ending.killAtMs || !place.sandbox.isBusy(this.holderPids())) void place.sandbox.kill();
    else setTimeout(() => this.askThenKill(false), stopPollMs);
  }

  private holderPids(): number[] {
    return [...this.terminals.values()].flatMap((terminal) => terminal.pid ?? []);
  }

  private armLease(): void {
    if (this.leaseTimer) clearTimeout(this.leaseTimer);
    const leftMs = this.leaseLimitMs - this.runningMs();
    this.place?.sandbox.renewLease?.(leftMs);
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
