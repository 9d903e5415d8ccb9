import type { Logger } from 'pino';
import type { Homes } from './homes';
import type { Lab } from './lab';
import type { SupervisorSettings } from './settings';
import { folderBytes, heldBytes, ProcessPass, residentBytes } from './usage';

const measureTimeoutMs = 20_000;
/** A home that was full at the start may still grow by this much, enough to work on tidying it. */
const tidyingBytes = 16 * 1024 ** 2;
/** A measuring takes at most one part in this many of the time. */
const measureShare = 20;

/** Watches the limits the kernel does not keep for us: memory without a cgroup, and the size of homes. */
export class LimitWatch {
  private readonly memoryTimer: NodeJS.Timeout;
  private diskTimer: NodeJS.Timeout;
  private isChecking = false;
  private isClosed = false;
  private readonly firstMeasured = new WeakSet<Lab>();

  constructor(
    private readonly settings: Pick<SupervisorSettings, 'limitPollMs' | 'diskPollMs'>,
    private readonly host: { homes: Homes; hasCgroups: boolean; living: () => Lab[]; log: Logger },
  ) {
    this.memoryTimer = setInterval(() => this.run(() => this.checkMemory()), settings.limitPollMs);
    this.diskTimer = setTimeout(() => this.run(() => this.checkDisks()), settings.diskPollMs);
  }

  close(): void {
    this.isClosed = true;
    clearInterval(this.memoryTimer);
    clearTimeout(this.diskTimer);
  }

  /** A check that fails says so and comes again; it must never take the labs down with it. */
  private run(check: () => Promise<void>): void {
    check().catch((error: unknown) => this.host.log.error({ err: error }, 'a limit could not be checked'));
  }

  /** The first measuring of a lab; it also decides how far a home that is already full may grow. */
  async measure(lab: Lab): Promise<void> {
    const bytes = await this.host.homes.measure(lab.spec.workshopId, measureTimeoutMs);
    if (bytes === null) return;
    lab.homeBytes = bytes;
    if (!this.firstMeasured.has(lab)) {
      this.firstMeasured.add(lab);
      if (bytes > lab.spec.diskBytes) lab.homeLimitBytes = bytes + tidyingBytes;
    }
    if (bytes > lab.homeLimitBytes) lab.stop('disk_full', 0, `home holds ${bytes} of ${lab.homeLimitBytes} bytes`);
  }

  private async checkMemory(): Promise<void> {
    const running = this.host.living().filter((lab) => lab.state === 'running');
    if (running.length === 0 || this.isChecking) return;
    this.isChecking = true;
    try {
      if (this.host.hasCgroups) for (const lab of running) this.checkKills(lab);
      else await this.checkHeld(running);
    } finally {
      this.isChecking = false;
    }
  }

  private checkKills(lab: Lab): void {
    if ((lab.place?.group?.oomKills() ?? 0) > 0) lab.stop('out_of_memory', 0, 'the kernel killed for want of memory');
  }

  private async checkHeld(running: readonly Lab[]): Promise<void> {
    const pass = new ProcessPass();
    for (const lab of running) {
      const tree = pass.treeOf(lab.rootPids());
      lab.cpu.update(tree);
      const inFolders = await folderBytes(lab.place?.sandbox.memoryFolders() ?? []);
      // The exact sum costs a file a process; the upper bound nearly always settles it.
      if (residentBytes(tree) + inFolders <= lab.spec.memoryBytes) continue;
      const bytes = heldBytes(tree) + inFolders;
      if (bytes > lab.spec.memoryBytes) lab.stop('out_of_memory', 0, `held ${bytes} of ${lab.spec.memoryBytes} bytes`);
    }
  }

  /** One home after the other, at a pace that leaves the disk to the labs. */
  private async checkDisks(): Promise<void> {
    const beganMs = performance.now();
    try {
      for (const lab of this.host.living()) if (lab.state === 'running' && !this.isClosed) await this.measure(lab);
    } finally {
      const pauseMs = Math.max(this.settings.diskPollMs, (performance.now() - beganMs) * measureShare);
      if (!this.isClosed) this.diskTimer = setTimeout(() => this.run(() => this.checkDisks()), pauseMs);
    }
  }
}
