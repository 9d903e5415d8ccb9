import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Docker from 'dockerode';
import type { LabProgress } from './computeEngine';
import { supervisorPaths } from './supervisor/paths';
import { buildLabSpec, endLab, findLab, startLab, waitForState, waitUntil } from './testing/labFixtures';
import { endProcess, openProcessFixture, type ProcessFixture } from './testing/processFixture';
import { TerminalProbe } from './testing/terminalProbe';

jest.setTimeout(120_000);

const sockets = { Docker: process.env.ATELIER_DOCKER_SOCKET ?? '', Podman: process.env.ATELIER_PODMAN_SOCKET ?? '' };

let docker: Docker;
let fixture: ProcessFixture;

describe.each(Object.entries(sockets))('labs in containers of %s', (_name, containerSocket) => {
  beforeEach(async () => {
    docker = new Docker({ socketPath: containerSocket });
    fixture = await openProcessFixture({ containerSocket });
  });
  afterEach(() => fixture.close());

  it(
    'outlive a supervisor that is killed: adopted with what was seen of their time, strangers left alone, orphans ended',
    outlives,
  );
  it('end by themselves when their lease is long over, and nobody in them can prevent it', endsAlone);
  it('let their programs save their work when they are stopped, and no longer than is granted', savesWork);
  it('use no more processor than they have', keepsToCores);
  it('are saved as an image of ours that starts again, is given out as an archive and deleted once unused', isSaved);
  it('say that an image cannot be had', saysMissing);
});

const hasEngine = () =>
  fixture.engine.list().then(
    () => true,
    () => false,
  );

async function killSupervisor(): Promise<void> {
  await endProcess(await fixture.supervisorPid(), 'SIGKILL');
  await waitUntil(hasEngine, 30_000, () => 'no new supervisor came');
}

/** Nothing of a lab is left with the daemon. */
const isRemoved = (ref: string) =>
  waitUntil(
    async () => (await docker.listContainers({ all: true })).every((each) => each.Labels['atelier.ref'] !== ref),
    20_000,
    () => `the container of ${ref} stayed`,
  );

async function outlives(): Promise<void> {
  const { engine } = fixture;
  const spec = await startLab(engine);
  await (await TerminalProbe.ready(engine, spec.ref)).run('(setsid sleep 4711 >/dev/null 2>&1 &); echo kept > note');
  const image = process.env.ATELIER_LAB_IMAGE ?? '';
  const stranger = await docker.createContainer({
    Image: image,
    Entrypoint: ['sleep', '600'],
    HostConfig: { NetworkMode: 'none' },
  });
  const orphan = await docker.createContainer({
    ...{ Image: image, Entrypoint: ['sleep', '600'], HostConfig: { NetworkMode: 'none' } },
    Labels: { 'atelier.instance': engine.instanceId, 'atelier.ref': 'ws-orphan-g1' },
  });
  await Promise.all([stranger.start(), orphan.start()]);
  const seen = await findLab(engine, spec.ref);

  await killSupervisor();

  const adopted = await waitForState(engine, spec.ref, 'running');
  expect(adopted.runningMs).toBeGreaterThanOrEqual(seen?.runningMs ?? Number.POSITIVE_INFINITY);
  const shell = await TerminalProbe.ready(engine, spec.ref);
  expect(await shell.run('cat note; ps ax | grep -c "[s]leep 4711"')).toBe('kept\n1\n');
  await expect(orphan.inspect()).rejects.toMatchObject({ statusCode: 404 });
  expect((await stranger.inspect()).State.Running).toBe(true);
  await stranger.remove({ force: true });
  expect(await endLab(engine, spec.ref)).toMatchObject({ endReason: 'stopped' });
  await isRemoved(spec.ref);
}

async function endsAlone(): Promise<void> {
  const { engine, dataDir } = fixture;
  const spec = await startLab(engine);
  const shell = await TerminalProbe.ready(engine, spec.ref);
  expect(await shell.run('kill -STOP 1; kill -9 1 2>&1 | grep -c permitted; echo 0 > /run/atelier/lease')).toMatch(
    /not permitted|Permission|Read-only/,
  );

  const folder = join(supervisorPaths(dataDir).folder, 'labs', spec.ref);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(['lease', 'passwd', 'group']));
  writeFileSync(join(folder, 'lease'), 'unwatched 1\n');

  const ended = await waitForState(engine, spec.ref, 'ended', 30_000);
  expect(ended).toMatchObject({ endReason: 'exited', exitCode: 75 });
}

async function savesWork(): Promise<void> {
  const { engine } = fixture;
  const spec = await startLab(engine);
  const shell = await TerminalProbe.ready(engine, spec.ref);
  shell.type(`bash -c 'trap "echo saved > ~/work; exit" TERM HUP; while :; do sleep 0.1; done'\r`);
  await waitUntil(
    async () => ((await engine.sample([spec.ref]))[0]?.processes ?? 0) >= 5,
    20_000,
    () => 'the program did not start',
  );
  await engine.stop(spec.ref, { graceMs: 8000 });
  await waitForState(engine, spec.ref, 'ended');

  const next = await startLab(engine, { workshopId: spec.workshopId });
  expect(await (await TerminalProbe.ready(engine, next.ref)).run('cat work')).toBe('saved\n');
  await endLab(engine, next.ref);
}

async function keepsToCores(): Promise<void> {
  const { engine } = fixture;
  const spec = await startLab(engine, { cpuCores: 0.5 });
  const shell = await TerminalProbe.ready(engine, spec.ref);
  shell.type('while :; do :; done\r');
  await new Promise((resolve) => setTimeout(resolve, 500));
  const [before] = await engine.sample([spec.ref]);
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const [after] = await engine.sample([spec.ref]);

  const share = ((after?.cpuMsTotal ?? 0) - (before?.cpuMsTotal ?? 0)) / ((after?.sampledAtMs ?? 0) - (before?.sampledAtMs ?? 0));
  // The upper end is the promise; a busy machine gives less.
  expect(share).toBeGreaterThan(0.05);
  expect(share).toBeLessThan(0.6);
  await endLab(engine, spec.ref);
}

async function isSaved(): Promise<void> {
  const { engine } = fixture;
  if (!engine.commitImage || !engine.removeImage || !engine.exportImage) throw new Error('it declares rootfs and saves none');
  const spec = await startLab(engine, { env: { SECRET: 'course-key' } });
  const shell = await TerminalProbe.ready(engine, spec.ref);
  await shell.run('echo home > ~/home-note; echo root > /run/lab-note 2>/dev/null || echo root > /var/tmp/lab-note');
  const reference = `localhost/atelier/saved:${spec.ref}`;
  const told: LabProgress[] = [];
  const signal = new AbortController().signal;

  const saved = await engine.commitImage(spec.ref, {
    reference,
    labels: { 'atelier.owner': 'm' },
    signal,
    onProgress: (each) => told.push(each),
  });

  expect(saved).toMatchObject({ reference, digest: expect.stringContaining('sha256:') });
  expect(saved.sizeBytes).toBeGreaterThan(1024 ** 2);
  expect(told.at(-1)).toMatchObject({ percent: 100 });
  const { Config } = await docker.getImage(reference).inspect();
  expect(JSON.stringify(Config)).not.toContain('course-key');
  expect(Config).toMatchObject({
    User: '1000',
    Labels: { 'atelier.owner': 'm', 'atelier.instance': engine.instanceId, 'atelier.ref': '' },
  });
  await endLab(engine, spec.ref);

  const again = await startLab(engine, { image: { imageId: 'saved', reference, commands: [] } });
  expect(await (await TerminalProbe.ready(engine, again.ref)).run('ls ~')).toBe('');
  await expect(engine.removeImage(reference)).rejects.toMatchObject({ reason: 'image' });
  await endLab(engine, again.ref);
  let archiveBytes = 0;
  for await (const chunk of await engine.exportImage(reference)) archiveBytes += chunk.length;
  expect(archiveBytes).toBeGreaterThan(1024 ** 2);
  await isRemoved(again.ref);
  await engine.removeImage(reference);
  await engine.removeImage(reference);
  await expect(engine.removeImage(process.env.ATELIER_LAB_IMAGE ?? '')).rejects.toMatchObject({ reason: 'image' });
  await expect(
    engine.commitImage('ws-unknown-g1', { reference, labels: {}, signal, onProgress: () => undefined }),
  ).rejects.toThrow();
}

async function saysMissing(): Promise<void> {
  const spec = buildLabSpec({ image: { imageId: 'none', reference: 'localhost:1/nobody/nothing:1', commands: [] } });
  await fixture.engine.ensureStarted(spec);

  expect(await waitForState(fixture.engine, spec.ref, 'ended', 60_000)).toMatchObject({ endReason: 'image_unavailable' });
}
