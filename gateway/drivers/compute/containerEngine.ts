import type { Readable } from 'node:stream';
import Docker from 'dockerode';
import type { Logger } from 'pino';
import { StartRefused } from '../../startRefused';
import { type CommitOptions, type CommittedImage, type ComputeEngine, EngineRefused, EngineUnreachable } from './computeEngine';
import { containerNameOf, labelOf } from './container/containerBody';
import { DaemonMissing, findDaemon, statusOf, unlessMissing, wordsOf } from './container/daemon';
import { supervisedEngine } from './processEngine';
import type { SupervisorSettings } from './supervisor/settings';

export interface ContainerEngineOptions {
  dataDir: string;
  log: Logger;
  /** Where a daemon may listen, the likeliest first. */
  socketPaths: readonly string[];
  settings?: Partial<Omit<SupervisorSettings, 'dataDir' | 'engine' | 'containerSocket'>>;
  supervisorCommand?: string[];
}

/**
 * Labs as containers of Docker or Podman on this machine. The supervisor owns them as it owns processes: one journal, one lease,
 * one way terminals live on. Images are saved and given out by the gateway itself. `open` throws `StartRefused` where no daemon
 * answers; every other call throws `EngineUnreachable` while supervisor or daemon do not.
 */
export async function createContainerEngine(options: ContainerEngineOptions): Promise<ComputeEngine> {
  const socketPath = await findSocket(options.socketPaths);
  const engine = supervisedEngine('container', {
    ...options,
    isUnsandboxedAllowed: async () => false,
    settings: { ...options.settings, engine: 'container', containerSocket: socketPath },
  });
  return { ...engine, ...imagesOf(new Docker({ socketPath }), engine.instanceId) };
}

async function findSocket(socketPaths: readonly string[]): Promise<string> {
  try {
    return (await findDaemon(socketPaths)).socketPath;
  } catch (error) {
    if (error instanceof DaemonMissing) throw new StartRefused(error.message);
    throw error;
  }
}

type Images = Required<Pick<ComputeEngine, 'commitImage' | 'removeImage' | 'exportImage'>>;

function imagesOf(docker: Docker, instanceId: string): Images {
  return {
    commitImage: (ref, commit) => answered(() => commitImage(docker, containerNameOf(instanceId, ref), instanceId, commit)),
    removeImage: (reference) => answered(() => removeImage(docker, reference, instanceId)),
    exportImage: (reference) => answered(() => exportImage(docker, reference)),
  };
}

/** The container stands still while it is copied. A save that is called off leaves nothing. */
async function commitImage(docker: Docker, name: string, instanceId: string, options: CommitOptions): Promise<CommittedImage> {
  const { reference, labels, signal, onProgress } = options;
  const [repo, tag] = splitReference(reference);
  signal.throwIfAborted();
  onProgress({ percent: null, detail: 'copying the file system' });
  const all = { ...labels, [labelOf.instance]: instanceId };
  try {
    await docker.getContainer(name).commit({
      ...{ repo, tag, pause: true, abortSignal: signal },
      // As instructions, which Podman follows, too. The lab's own labels would make an image of ours look like a lab.
      changes: ['ENTRYPOINT []', 'CMD ["/bin/bash"]', 'USER 1000', 'WORKDIR /', ...labelling({ ...noLabLabels, ...all })],
    });
    signal.throwIfAborted();
  } catch (error) {
    if (signal.aborted) await removeImage(docker, reference, instanceId);
    throw error;
  }
  const image = await docker.getImage(reference).inspect();
  onProgress({ percent: 100, detail: 'saved' });
  return { reference, sizeBytes: image.Size, digest: image.Id };
}

const noLabLabels = Object.fromEntries(Object.values(labelOf).map((label) => [label, '']));

const labelling = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([name, value]) => `LABEL ${JSON.stringify(name)}=${JSON.stringify(value)}`);

async function removeImage(docker: Docker, reference: string, instanceId: string): Promise<void> {
  const image = docker.getImage(reference);
  const told = await unlessMissing(image.inspect());
  if (!told) return;
  if (told.Config.Labels?.[labelOf.instance] !== instanceId)
    throw new EngineRefused('image', `${reference} is not an image of ours`);
  try {
    await unlessMissing(image.remove({ force: false }));
  } catch (error) {
    if (statusOf(error) === 409) throw new EngineRefused('image', `${reference} is in use`);
    throw error;
  }
}

async function exportImage(docker: Docker, reference: string): Promise<Readable> {
  const image = docker.getImage(reference);
  if (!(await unlessMissing(image.inspect()))) throw new EngineRefused('image', `there is no image ${reference}`);
  // The types know it as the older kind of stream; it is the answer itself.
  return (await image.get()) as Readable;
}

/** The daemon's refusals are ours; its silence is unreachable. */
async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EngineRefused || (error instanceof Error && error.name === 'AbortError')) throw error;
    const status = statusOf(error);
    if (status === null) throw new EngineUnreachable(wordsOf(error));
    throw new EngineRefused(status === 404 ? 'image' : 'engine_error', wordsOf(error));
  }
}

function splitReference(reference: string): [repo: string, tag: string] {
  const [, repo, tag] = /^(.+):([\w][\w.-]{0,127})$/.exec(reference) ?? [];
  if (!repo || !tag) throw new EngineRefused('image', 'an image is saved under a name with a tag');
  return [repo, tag];
}
