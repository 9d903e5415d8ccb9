import type { ContainerCreateOptions } from 'dockerode';
import type { LabSpec } from '../computeEngine';
import { labHome } from '../supervisor/homes';
import { addedEnvironment } from '../supervisor/sandbox';
import { controlFolder, guardScript } from './guard';

/** Who the guard is: nobody who owns anything, and never the member. */
const guardUser = '65534:65534';
/** The init, the guard and its sleep, beside the member's. */
const ownProcesses = 8;
const openFiles = 4096;
/** Of one user over the whole machine; what a lab may have is its own limit. */
const userProcesses = 4096;

export const labelOf = {
  installation: 'atelier.installation',
  instance: 'atelier.instance',
  ref: 'atelier.ref',
  session: 'atelier.session',
  workshop: 'atelier.workshop',
  member: 'atelier.member',
  lease: 'atelier.lease-ms',
} as const;

export const containerNameOf = (instanceId: string, ref: string) => `atelier-${instanceId.slice(0, 8)}-${ref}`;

export interface BodyRequest {
  spec: LabSpec;
  instanceId: string;
  image: string;
  homePath: string;
  controlPath: string;
  /** The network a lab with egress joins. */
  egressNetwork: string | null;
  /** Rootless Podman: the lab's uid is the daemon's own. */
  keepsUid: boolean;
  /** Kernel calls that labs may make, by file; null: the daemon's own list. */
  seccompPath: string | null;
}

/** What a lab's container is made of. Nothing of the image decides: its entry point, user and health check are ours. */
export function containerBody(request: BodyRequest): ContainerCreateOptions & { name: string } {
  const { spec, instanceId, image, egressNetwork, keepsUid, seccompPath } = request;
  const isOnline = spec.network === 'egress' && egressNetwork !== null;
  // What lies in memory counts as memory; a quarter each keeps a full /tmp from ending the lab.
  const memoryFolderBytes = Math.max(1024 ** 2, Math.min(1024 ** 3, Math.floor(spec.memoryBytes / 4)));
  return {
    name: containerNameOf(instanceId, spec.ref),
    Image: image,
    Hostname: spec.hostname,
    User: guardUser,
    WorkingDir: '/',
    Entrypoint: ['/bin/sh', '-c', guardScript],
    Cmd: [],
    Tty: false,
    OpenStdin: false,
    NetworkDisabled: !isOnline,
    Healthcheck: { Test: ['NONE'] },
    Labels: labelsOf(spec, instanceId),
    HostConfig: {
      Init: true,
      AutoRemove: false,
      RestartPolicy: { Name: 'no' },
      NetworkMode: isOnline ? egressNetwork : 'none',
      NanoCpus: Math.round(spec.cpuCores * 1e9),
      Memory: spec.memoryBytes,
      MemorySwap: spec.memoryBytes,
      PidsLimit: spec.processes + ownProcesses,
      Ulimits: [
        { Name: 'nofile', Soft: openFiles, Hard: openFiles },
        { Name: 'nproc', Soft: userProcesses, Hard: userProcesses },
        { Name: 'core', Soft: 0, Hard: 0 },
        { Name: 'fsize', Soft: Math.ceil(spec.diskBytes), Hard: Math.ceil(spec.diskBytes) },
      ],
      Privileged: false,
      ReadonlyRootfs: false,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges', ...(seccompPath === null ? [] : [`seccomp=${seccompPath}`])],
      IpcMode: 'private',
      Tmpfs: { '/tmp': `rw,exec,nosuid,nodev,size=${memoryFolderBytes},mode=1777` },
      ShmSize: memoryFolderBytes,
      LogConfig: { Type: 'none', Config: {} },
      ...(keepsUid ? { UsernsMode: 'keep-id' } : {}),
      Mounts: mountsOf(request),
    },
  };
}

function labelsOf(spec: LabSpec, instanceId: string): Record<string, string> {
  return {
    [labelOf.installation]: spec.installationId,
    [labelOf.instance]: instanceId,
    [labelOf.ref]: spec.ref,
    [labelOf.session]: spec.sessionId,
    [labelOf.workshop]: spec.workshopId,
    [labelOf.member]: spec.memberId,
    [labelOf.lease]: String(spec.leaseLimitMs),
  };
}

function mountsOf({
  spec,
  homePath,
  controlPath,
}: BodyRequest): NonNullable<NonNullable<ContainerCreateOptions['HostConfig']>['Mounts']> {
  const shown = (Source: string, Target: string) => ({ Type: 'bind' as const, Source, Target, ReadOnly: true });
  return [
    { Type: 'bind', Source: homePath, Target: labHome, ReadOnly: false },
    ...spec.mounts.map(({ source, target }) => shown(source, target)),
    shown(controlPath, controlFolder),
    shown(`${controlPath}/passwd`, '/etc/passwd'),
    shown(`${controlPath}/group`, '/etc/group'),
  ];
}

/** Given to each shell and kept out of the container's own settings, which a saved image would take along. The image's path stays. */
export function shellEnvironment(spec: LabSpec): string[] {
  const own: Readonly<Record<string, string>> = {
    HOME: labHome,
    USER: 'lab',
    LOGNAME: 'lab',
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    PS1: 'lab@\\h:\\w\\$ ',
  };
  const added = addedEnvironment(spec, own).filter(([name]) => name !== 'PATH');
  return [...added, ...Object.entries(own)].map(([name, value]) => `${name}=${value}`);
}
