import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { totalmem } from 'node:os';
import type { Logger } from 'pino';
import { type EngineCapabilities, EngineRefused, type LabSample, type LabSpec } from '../computeEngine';
import { BareSandbox, MarkerIndex } from './bareSandbox';
import { type Cgroups, probeCgroups } from './cgroups';
import { Homes } from './homes';
import { allowedCores, CoreShares, findProgram } from './host';
import { type Isolation, probeIsolation } from './isolation';
import type { Lab, LabPlace } from './lab';
import type { LabHost } from './labHost';
import { startNamespaceSandbox } from './namespaceSandbox';
import type { SupervisorPaths } from './paths';
import type { Sandbox, SandboxRequest } from './sandbox';
import type { SupervisorSettings } from './settings';
import { folderBytes, heldBytes, ProcessPass } from './usage';

/** Labs as processes of this machine, kept apart by namespaces where it has them. */
export class ProcessHost implements LabHost {
  private readonly cores = new CoreShares(allowedCores());

  private constructor(
    private readonly instanceId: string,
    private readonly paths: SupervisorPaths,
    readonly homes: Homes,
    private readonly isolation: Isolation,
    private readonly cgroups: Cgroups | null,
    private readonly markers: MarkerIndex,
  ) {}

  /** Probes what this machine offers. Only the lock's holder calls it. */
  static async open(instanceId: string, settings: SupervisorSettings, paths: SupervisorPaths, log: Logger): Promise<ProcessHost> {
    const cgroups = settings.limits === 'auto' ? probeCgroups(instanceId) : null;
    cgroups?.sweep();
    rmSync(paths.temp, { recursive: true, force: true });
    const isolation: Isolation =
      settings.isolation === 'none'
        ? { level: 'none', detail: 'switched off' }
        : await probeIsolation(paths.folder, paths.etc, cgroups);
    const homes = new Homes(paths.homes, isolation.level === 'namespaces' && isolation.hasOwnUids);
    await homes.eraseLeftovers();
    log.info({ isolation, memory: cgroups ? 'cgroup' : 'polled' }, 'labs are processes of this machine');
    return new ProcessHost(instanceId, paths, homes, isolation, cgroups, new MarkerIndex(instanceId));
  }

  get countsKills(): boolean {
    return this.cgroups !== null;
  }

  capabilities(): EngineCapabilities {
    const { isolation, cgroups } = this;
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
    const { isolation } = this;
    const detail = isolation.level === 'none' ? `labs are not isolated: ${isolation.detail}` : 'labs are isolated by namespaces';
    return { isHealthy: true, detail };
  }

  missingCommands(commands: readonly string[]): string[] {
    return commands.filter((command) => findProgram(command) === null);
  }

  check(_spec: LabSpec, isUnsandboxedAllowed: boolean): void {
    const { isolation } = this;
    if (isolation.level === 'none' && !isUnsandboxedAllowed) throw new EngineRefused('unsandboxed', isolation.detail);
  }

  async start({ spec }: Lab): Promise<LabPlace> {
    const cores = this.cgroups?.hasCpu ? [] : this.cores.take(spec.cpuCores);
    let group: SandboxRequest['group'] = null;
    try {
      const home = await this.homes.ensure(spec.workshopId);
      for (const { target } of spec.mounts) await this.homes.makePlace(home, target);
      group = this.cgroups?.createGroup(groupName(spec.ref), spec) ?? null;
      const sandbox = await this.startSandbox({ spec, homePath: home.path, uid: home.uid, cores, group });
      return { sandbox, group, cores };
    } catch (error) {
      this.cores.give(cores);
      group?.delete();
      throw error;
    }
  }

  /** Processes end with the supervisor that owned them. */
  async adopt(): Promise<null> {
    return null;
  }

  /** Swept at opening, and by the marks in the journal. */
  async sweep(): Promise<void> {}

  /** They are our own children: their end is heard of. */
  async see(): Promise<void> {}

  async sample(labs: readonly Lab[]): Promise<LabSample[]> {
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

  release({ cores, group }: LabPlace): void {
    this.cores.give(cores);
    group?.delete();
  }

  async forget(): Promise<void> {}

  close(): void {
    this.cgroups?.close();
  }

  private async startSandbox(request: SandboxRequest): Promise<Sandbox> {
    const { isolation, markers } = this;
    if (isolation.level === 'none') return new BareSandbox(this.instanceId, markers, request, this.paths.temp);
    return startNamespaceSandbox(isolation.tools, this.paths.etc, request);
  }
}

const groupName = (ref: string) => `lab-${createHash('sha256').update(ref).digest('hex').slice(0, 24)}`;
