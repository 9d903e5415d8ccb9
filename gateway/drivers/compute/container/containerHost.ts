import { join } from 'node:path';
import Docker, { type Container, type ContainerInfo } from 'dockerode';
import type { Logger } from 'pino';
import { type EngineCapabilities, EngineRefused, type LabSample, type LabSpec } from '../computeEngine';
import { type Home, Homes } from '../supervisor/homes';
import { type Lab, type LabPlace, monotonicMs } from '../supervisor/lab';
import type { LabHost } from '../supervisor/labHost';
import type { SupervisorPaths } from '../supervisor/paths';
import type { SupervisorSettings } from '../supervisor/settings';
import { containerBody, containerNameOf, labelOf } from './containerBody';
import { readSample } from './containerSample';
import { ContainerSandbox } from './containerSandbox';
import { type DaemonFacts, readFacts, statusOf, unlessMissing, wordsOf } from './daemon';
import { type Egress, openEgress } from './egress';
import { ControlFolder } from './guard';
import { ImagePulls } from './imagePull';
import { writeSeccompProfile } from './seccomp';
import { StartGate } from './startGate';

const startsAtOnce = 4;
/** Podman waits for every container that is just being started or removed before it lists any. */
const listTimeoutMs = 15_000;
/** A look this young is as good as a new one. */
const lookKeptMs = 200;

/** Throws while the daemon does not answer: nothing can be said of the labs it may keep. */
export async function openContainerHost(
  instanceId: string,
  { containerSocket }: SupervisorSettings,
  paths: SupervisorPaths,
  log: Logger,
): Promise<ContainerHost> {
  if (containerSocket === null) throw new Error('settings name no socket of a container engine');
  const facts = await readFacts(containerSocket);
  const docker = new Docker({ socketPath: containerSocket });
  const egress = await openEgress(docker, facts, instanceId);
  const homes = new Homes(paths.homes, process.getuid?.() === 0 && !facts.isRootless);
  await homes.eraseLeftovers();
  const seccompPath = facts.isPodman ? join(paths.folder, 'seccomp.json') : null;
  if (seccompPath !== null) writeSeccompProfile(seccompPath);
  log.info({ facts, egress: egress.network ?? egress.detail }, 'labs are containers');
  return new ContainerHost(instanceId, join(paths.folder, 'labs'), { docker, facts, egress, seccompPath, homes, log });
}

interface Parts {
  docker: Docker;
  facts: DaemonFacts;
  egress: Egress;
  seccompPath: string | null;
  homes: Homes;
  log: Logger;
}

/** Labs as containers of a daemon of this machine, told from all others by our labels. */
export class ContainerHost implements LabHost {
  readonly homes: Homes;
  readonly countsKills = true;
  private readonly docker: Docker;
  private readonly images: ImagePulls;
  private readonly gate = new StartGate(startsAtOnce);
  private lastSeenMs = monotonicMs();
  private silence: string | null = null;
  private looking: Promise<void> | null = null;
  private readonly removals = new Map<string, Promise<void>>();

  constructor(
    private readonly instanceId: string,
    private readonly controlFolders: string,
    private readonly parts: Parts,
  ) {
    this.docker = parts.docker;
    this.homes = parts.homes;
    this.images = new ImagePulls(parts.docker);
  }

  capabilities(): EngineCapabilities {
    const { facts, egress } = this.parts;
    return {
      isolation: 'container',
      cpuLimit: 'quota',
      memoryLimit: 'hard',
      diskLimit: 'polled',
      network: egress.network === null ? 'none' : 'egress',
      survivesGatewayRestart: true,
      hasImages: true,
      saveImage: 'rootfs',
      maxCpuCores: facts.cpuCores,
      maxMemoryBytes: facts.memoryBytes,
    };
  }

  health(): { isHealthy: boolean; detail: string } {
    const { facts, egress } = this.parts;
    if (this.silence !== null) return { isHealthy: false, detail: `the container engine does not answer: ${this.silence}` };
    const name = `${facts.isPodman ? 'Podman' : 'Docker'} ${facts.version}`;
    return {
      isHealthy: true,
      detail: `labs are containers of ${name}${egress.network === null ? `, without network: ${egress.detail}` : ''}`,
    };
  }

  /** Images bring their own. */
  missingCommands(): string[] {
    return [];
  }

  check(spec: LabSpec): void {
    if (spec.image.reference === null) throw new EngineRefused('image', `image ${spec.image.imageId} has no container image`);
    if (this.silence !== null) throw new Error(`the container engine does not answer: ${this.silence}`);
  }

  async start(lab: Lab): Promise<LabPlace> {
    const { spec, starting } = lab;
    const image = spec.image.reference ?? '';
    await this.images.ensure(image, starting.signal, (progress) => lab.tell('pulling', progress));
    const leave = await this.gate.enter(starting.signal, (before) =>
      lab.tell('queued', { percent: null, detail: `${before} other labs start first` }),
    );
    try {
      lab.tell('starting', null);
      const home = await this.homes.ensure(spec.workshopId);
      for (const { target } of spec.mounts) await this.homes.makePlace(home, target);
      return await this.create(spec, image, home);
    } finally {
      leave();
    }
  }

  async adopt({ spec }: Lab): Promise<LabPlace | null> {
    const container = this.containerOf(spec.ref);
    const told = await unlessMissing(container.inspect());
    if (told?.State.Running && told.Config.Labels[labelOf.instance] === this.instanceId)
      return this.placeOf(spec, container, await this.homes.ensure(spec.workshopId), told.State.Pid);
    await this.forget(spec.ref);
    return null;
  }

  async sweep(living: ReadonlySet<string>): Promise<void> {
    for (const container of await this.listOwn()) {
      const ref = container.Labels[labelOf.ref] ?? '';
      if (!living.has(ref)) await unlessMissing(this.docker.getContainer(container.Id).remove({ force: true }));
    }
  }

  /** One look at a time, however many ask. */
  async see(labs: readonly Lab[]): Promise<void> {
    if (this.silence === null && monotonicMs() - this.lastSeenMs < lookKeptMs) return;
    this.looking ??= this.look(labs).finally(() => {
      this.looking = null;
    });
    await this.looking;
  }

  /** One listing covers all labs; what it lacks is asked for by name before it is believed to have ended. */
  private async look(labs: readonly Lab[]): Promise<void> {
    try {
      const running = await this.listRunning();
      for (const lab of labs) {
        const sandbox = lab.place?.sandbox;
        if (sandbox instanceof ContainerSandbox && !running.has(lab.spec.ref)) await sandbox.look();
        lab.resume();
      }
      this.silence = null;
      this.lastSeenMs = monotonicMs();
    } catch (error) {
      this.silence = wordsOf(error);
      for (const lab of labs) lab.suspend(this.lastSeenMs);
      throw new Error(`the container engine does not answer: ${this.silence}`);
    }
  }

  async sample(labs: readonly Lab[]): Promise<LabSample[]> {
    const samples = await Promise.all(labs.map((lab) => this.sampleOne(lab)));
    return samples.flatMap((sample) => sample ?? []);
  }

  /** Nothing of it is needed any more; what cannot be removed now is swept by the next supervisor. */
  release({ sandbox }: LabPlace): void {
    if (!(sandbox instanceof ContainerSandbox)) return;
    const { log } = this.parts;
    this.forget(sandbox.ref).catch((err: unknown) => log.warn({ err, ref: sandbox.ref }, 'a container is left behind'));
  }

  async forget(ref: string): Promise<void> {
    const removal = this.removals.get(ref) ?? this.remove(ref).finally(() => this.removals.delete(ref));
    this.removals.set(ref, removal);
    await removal;
  }

  close(): void {}

  private async remove(ref: string): Promise<void> {
    try {
      await unlessMissing(this.containerOf(ref).remove({ force: true, v: true }));
    } catch (error) {
      // Docker's words for being at it already, for somebody who called earlier.
      if (statusOf(error) !== 409) throw error;
    }
    this.controlOf(ref).erase();
  }

  private async create(spec: LabSpec, image: string, home: Home): Promise<LabPlace> {
    const { egress, facts } = this.parts;
    if (spec.network === 'egress' && egress.network !== null) await egress.keepRules();
    const control = this.controlOf(spec.ref);
    control.write(home.uid ?? ownUid(), home.uid ?? ownGid());
    control.renewLease(spec.leaseLimitMs);
    const container = await this.docker.createContainer(
      containerBody({
        ...{ spec, instanceId: this.instanceId, image, homePath: home.path, controlPath: control.path },
        ...{ egressNetwork: egress.network, keepsUid: facts.isRootless, seccompPath: this.parts.seccompPath },
      }),
    );
    try {
      await container.start();
      const { State } = await container.inspect();
      if (!State.Running) throw new Error(`the container ended at once with ${State.ExitCode}: ${State.Error}`);
      return this.placeOf(spec, container, home, State.Pid);
    } catch (error) {
      await this.forget(spec.ref).catch((err: unknown) => this.parts.log.warn({ err }, 'a container that did not start is left'));
      throw error;
    }
  }

  private placeOf(spec: LabSpec, container: Container, home: Home, firstPid: number): LabPlace {
    const user = `${home.uid ?? ownUid()}:${home.uid ?? ownGid()}`;
    const { log } = this.parts;
    const sandbox = new ContainerSandbox({ container, spec, user, firstPid, control: this.controlOf(spec.ref), log });
    return { sandbox, group: sandbox.group, cores: [] };
  }

  private async sampleOne(lab: Lab): Promise<LabSample | null> {
    const { spec, homeBytes: diskBytes } = lab;
    const told = await unlessMissing(this.containerOf(spec.ref).stats({ stream: false, 'one-shot': true }));
    // A container that ended meanwhile is answered by zeros.
    if (!told?.memory_stats.usage) return null;
    return readSample(told, { ref: spec.ref, diskBytes, isOnline: spec.network === 'egress', sampledAtMs: Date.now() });
  }

  /** Podman's listing fails as a whole when one container vanishes under it; then every lab is asked for by name. */
  private async listRunning(): Promise<ReadonlySet<string>> {
    try {
      const all = await this.listOwn();
      return new Set(all.flatMap((each) => (each.State === 'running' ? [each.Labels[labelOf.ref] ?? ''] : [])));
    } catch (error) {
      if (statusOf(error) === 500 && /no such container/.test(wordsOf(error))) return new Set();
      throw error;
    }
  }

  private listOwn(): Promise<ContainerInfo[]> {
    const filters = { label: [`${labelOf.instance}=${this.instanceId}`] };
    return this.docker.listContainers({ all: true, filters, abortSignal: AbortSignal.timeout(listTimeoutMs) });
  }

  private containerOf(ref: string): Container {
    return this.docker.getContainer(containerNameOf(this.instanceId, ref));
  }

  private controlOf(ref: string): ControlFolder {
    return new ControlFolder(join(this.controlFolders, ref));
  }
}

const ownUid = () => process.getuid?.() ?? 0;
const ownGid = () => process.getgid?.() ?? 0;
