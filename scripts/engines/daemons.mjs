import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Docker from 'dockerode';
import { findProgram, run, say } from '../system.mjs';

const needed = [
  { program: 'podman', names: ['podman', 'catatonit'] },
  { program: 'runc', names: ['runc'] },
  { program: 'dockerd', names: ['docker.io'] },
];

/** Private daemons of both kinds, each with its folders and socket under `folder`. Throws one sentence where they cannot be had. */
export async function startDaemons(folder) {
  await install();
  const started = [];
  const stop = async () => {
    for (const { child, mounts } of started.reverse()) await end(child, mounts);
  };
  try {
    const docker = await startDocker(join(folder, 'docker'), started);
    const podman = await startPodman(join(folder, 'podman'), started);
    return { docker, podman, stop, importImage: (archive, reference) => importBoth([docker, podman], archive, reference) };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function install() {
  const missing = needed.filter(({ program }) => !findProgram(program) && !existsSync(join('/usr/sbin', program)));
  if (process.getuid() !== 0) throw new Error('The engines are tested by root alone, who may start daemons; run it with sudo.');
  if (missing.length === 0) return;
  const names = missing.flatMap((entry) => entry.names);
  if (!findProgram('apt-get'))
    throw new Error(`Containers cannot be tested: this system has no apt to install ${names.join(', ')} with.`);
  say(`Installing ${names.join(', ')} …`);
  const { isFine, output } = await run('apt-get', ['install', '-y', '--no-install-recommends', ...names], {
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (!isFine)
    throw new Error(
      `Containers cannot be tested: apt-get could not install ${names.join(', ')}: ${output.trim().split('\n').at(-1)}`,
    );
}

/** Without a bridge and without touching the firewall: labs of the suite have no network. */
async function startDocker(folder, started) {
  mkdirSync(folder, { recursive: true });
  const socket = join(folder, 'docker.sock');
  const settings = {
    ...{ bridge: 'none', iptables: false, hosts: [`unix://${socket}`] },
    ...{ 'data-root': join(folder, 'data'), 'exec-root': join(folder, 'exec'), pidfile: join(folder, 'pid') },
  };
  writeFileSync(join(folder, 'daemon.json'), JSON.stringify(settings));
  await startOne('dockerd', ['--config-file', join(folder, 'daemon.json')], { folder, socket, started });
  return socket;
}

/** With runc and cgroupfs, which work without systemd. */
async function startPodman(folder, started) {
  mkdirSync(folder, { recursive: true });
  const socket = join(folder, 'podman.sock');
  const containers = `[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
tmp_dir = "${join(folder, 'tmp')}"
`;
  const storage = `[storage]
driver = "overlay"
graphroot = "${join(folder, 'data')}"
runroot = "${join(folder, 'run')}"
`;
  writeFileSync(join(folder, 'containers.conf'), containers);
  writeFileSync(join(folder, 'storage.conf'), storage);
  const env = { CONTAINERS_CONF: join(folder, 'containers.conf'), CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf') };
  await startOne('podman', ['system', 'service', '--time=0', `unix://${socket}`], { folder, socket, started, env });
  return socket;
}

async function startOne(program, args, { folder, socket, started, env = {} }) {
  const log = openSync(join(folder, 'log'), 'a');
  const path = `${process.env.PATH}:/usr/sbin:/sbin`;
  const child = spawn(program, args, { env: { ...process.env, PATH: path, ...env }, stdio: ['ignore', log, log] });
  closeSync(log);
  started.push({ child, mounts: folder });
  const docker = new Docker({ socketPath: socket });
  for (let turn = 0; turn < 300 && child.exitCode === null; turn += 1) {
    if (existsSync(socket) && (await isAnswering(docker))) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const last = readFileSync(join(folder, 'log'), 'utf8').trim().split('\n').slice(-3).join(' ');
  throw new Error(`Containers cannot be tested: ${program} did not start: ${last}`);
}

async function isAnswering(docker) {
  try {
    await docker.ping();
    return true;
  } catch {
    // It is only just starting.
    return false;
  }
}

/** Removes every container, ends the daemon by its pid and takes away what it left mounted below its own folder. */
async function end(child, folder) {
  for (const name of ['docker.sock', 'podman.sock']) {
    const socket = join(folder, name);
    if (!existsSync(socket) || child.exitCode !== null) continue;
    const docker = new Docker({ socketPath: socket });
    for (const { Id } of await docker.listContainers({ all: true })) await docker.getContainer(Id).remove({ force: true });
  }
  if (child.exitCode === null) {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
  const mounts = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .flatMap((line) => line.split(' ')[1] ?? []);
  for (const mount of mounts.filter((place) => place.startsWith(`${folder}/`)).reverse()) spawnSync('umount', [mount]);
}

async function importBoth(sockets, archive, reference) {
  const [, repo, tag] = /^(.+):([^:]+)$/.exec(reference);
  for (const socketPath of sockets) {
    const docker = new Docker({ socketPath });
    const told = await new Promise((resolve, reject) => {
      docker.importImage(archive, {}, (error, stream) => {
        if (error) reject(error);
        else docker.modem.followProgress(stream, (failure, lines) => (failure ? reject(failure) : resolve(lines)));
      });
    });
    // Podman takes no name with an import, so both are named afterwards.
    const id = told.map((line) => line.status ?? '').findLast((status) => status.startsWith('sha256:'));
    await docker.getImage(id).tag({ repo, tag });
  }
}
