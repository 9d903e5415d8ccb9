import { buildLabSpec } from '../testing/labFixtures';
import { type BodyRequest, containerBody, shellEnvironment } from './containerBody';
import { readSample } from './containerSample';
import { guardScript } from './guard';
import { PullLayers } from './imagePull';
import { withoutNamespaces } from './seccomp';
import { StartGate } from './startGate';

const request = (change: Partial<BodyRequest> = {}): BodyRequest => ({
  spec: buildLabSpec({ ref: 'ws-1-g1', cpuCores: 0.5, memoryBytes: 512 * 1024 ** 2, processes: 64 }),
  ...{ instanceId: 'abcdef12-0000', image: 'lab:1', homePath: '/srv/homes/w', controlPath: '/srv/labs/ws-1-g1' },
  ...{ egressNetwork: null, keepsUid: false, seccompPath: null },
  ...change,
});

describe('the container of a lab', () => {
  it('is limited, stripped of rights and cut off from the network', () => {
    const { HostConfig, ...body } = containerBody(request());

    expect(HostConfig).toMatchObject({
      ...{ Init: true, Privileged: false, NanoCpus: 500_000_000, Memory: 512 * 1024 ** 2, MemorySwap: 512 * 1024 ** 2 },
      ...{ CapDrop: ['ALL'], SecurityOpt: ['no-new-privileges'], ReadonlyRootfs: false, NetworkMode: 'none', PidsLimit: 72 },
      ...{ IpcMode: 'private', ShmSize: 128 * 1024 ** 2, RestartPolicy: { Name: 'no' }, AutoRemove: false },
      Tmpfs: { '/tmp': expect.stringContaining('nosuid,nodev,size=134217728') },
    });
    expect(HostConfig?.Ulimits?.map(({ Name }) => Name)).toEqual(expect.arrayContaining(['nofile', 'nproc', 'core', 'fsize']));
    expect(HostConfig).not.toHaveProperty('Binds');
    expect(HostConfig).not.toHaveProperty('UsernsMode');
    expect(body).toMatchObject({ User: '65534:65534', NetworkDisabled: true, Entrypoint: ['/bin/sh', '-c', guardScript], Cmd: [] });
    expect(body).not.toHaveProperty('Env');
  });

  it('may write its home and nothing else it is shown', () => {
    const mounts = [{ source: '/srv/iris', target: '/datasets/iris' }];
    const shown = containerBody(request({ spec: buildLabSpec({ mounts }) })).HostConfig?.Mounts ?? [];

    expect(shown.filter((mount) => !mount.ReadOnly)).toEqual([
      { Type: 'bind', Source: '/srv/homes/w', Target: '/home/lab', ReadOnly: false },
    ]);
    expect(shown.map(({ Target }) => Target)).toEqual(['/home/lab', '/datasets/iris', '/run/atelier', '/etc/passwd', '/etc/group']);
  });

  it('carries our labels, the name of its run, and what its daemon needs', () => {
    const body = containerBody(request({ keepsUid: true, seccompPath: '/srv/seccomp.json' }));

    expect(body.name).toBe('atelier-abcdef12-ws-1-g1');
    expect(Object.keys(body.Labels ?? {}).every((label) => label.startsWith('atelier.'))).toBe(true);
    expect(body.Labels).toMatchObject({
      'atelier.instance': 'abcdef12-0000',
      'atelier.ref': 'ws-1-g1',
      'atelier.lease-ms': '600000',
    });
    expect(body.HostConfig).toMatchObject({
      UsernsMode: 'keep-id',
      SecurityOpt: ['no-new-privileges', 'seccomp=/srv/seccomp.json'],
    });
  });

  it('joins the network of labs with egress only where there is one', () => {
    const spec = buildLabSpec({ network: 'egress' });

    expect(containerBody(request({ spec })).HostConfig?.NetworkMode).toBe('none');
    expect(containerBody(request({ spec, egressNetwork: 'ours' }))).toMatchObject({
      NetworkDisabled: false,
      HostConfig: { NetworkMode: 'ours' },
    });
    expect(containerBody(request({ egressNetwork: 'ours' })).HostConfig?.NetworkMode).toBe('none');
  });

  it('gives shells the lab’s variables, never those the engine sets or the image’s path', () => {
    const variables = shellEnvironment(buildLabSpec({ env: { COURSE: 'a=b', HOME: '/x', PATH: '/x' } }));

    expect(variables).toEqual(expect.arrayContaining(['COURSE=a=b', 'HOME=/home/lab']));
    expect(variables.some((variable) => variable.startsWith('PATH='))).toBe(false);
  });
});

describe('what a daemon tells', () => {
  it('becomes counters: without the cache of files, with networks by either name, and none where there is none', () => {
    const told = {
      cpu_stats: { cpu_usage: { total_usage: 2_500_000_000 } },
      memory_stats: { usage: 100, stats: { total_inactive_file: 40, inactive_file: 7 } },
      pids_stats: { current: 5 },
      network: { eth0: { rx_bytes: 10, tx_bytes: 3 }, eth1: { rx_bytes: 5, tx_bytes: 1 } },
    } as never;
    const lab = { ref: 'r', diskBytes: 9, sampledAtMs: 1 };

    expect(readSample(told, { ...lab, isOnline: true })).toEqual({
      ...{ ref: 'r', sampledAtMs: 1, cpuMsTotal: 2500, memoryBytes: 60, diskBytes: 9, processes: 5, rxBytes: 15, txBytes: 4 },
    });
    expect(readSample(told, { ...lab, isOnline: false })).toMatchObject({ rxBytes: null, txBytes: null });
  });

  it('of a fetch is added up by layers', () => {
    const layers = new PullLayers();
    layers.add({ status: 'Pulling from library/debian', id: '12' });
    layers.add({ id: 'aaaaaaaaaaaa', status: 'Downloading', progressDetail: { current: 50, total: 100 } });

    expect(layers.add({ id: 'bbbbbbbbbbbb', status: 'Downloading', progressDetail: { current: 0, total: 300 } })).toEqual({
      percent: 12,
      detail: '0 of 2 layers',
    });
    expect(layers.add({ id: 'bbbbbbbbbbbb', status: 'Pull complete', progressDetail: {} })).toEqual({
      percent: 87,
      detail: '1 of 2 layers',
    });
  });
});

describe('Podman’s list of kernel calls', () => {
  it('loses what makes namespaces or mounts, and keeps plain clone', () => {
    const profile = { syscalls: [{ names: ['read', 'clone', 'unshare', 'mount'], action: 'SCMP_ACT_ALLOW' }] };

    const { syscalls } = withoutNamespaces(profile);

    const allowed = syscalls.filter((rule) => rule.action === 'SCMP_ACT_ALLOW');
    expect(allowed.map((rule) => rule.names)).toEqual([['read'], ['clone']]);
    expect(allowed[1]?.args).toMatchObject([{ value: 0x7e020000, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' }]);
  });
});

describe('the gate of starts', () => {
  it('lets in as many as it may, tells the others how many are before them, and forgets who gave up', async () => {
    const gate = new StartGate(1);
    const told: number[] = [];
    const giveUp = new AbortController();
    const leave = await gate.enter(new AbortController().signal, () => undefined);
    const second = gate.enter(giveUp.signal, () => undefined);
    const third = gate.enter(new AbortController().signal, (before) => told.push(before));

    giveUp.abort();
    await expect(second).rejects.toThrow('called off');
    expect(told).toEqual([2, 1]);
    leave();
    leave();

    const leaveThird = await third;
    leaveThird();
    await expect(gate.enter(new AbortController().signal, () => undefined)).resolves.toBeInstanceOf(Function);
  });
});
