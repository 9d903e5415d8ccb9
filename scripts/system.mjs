import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Says a line to whoever runs the script. */
export function say(line) {
  process.stdout.write(`${line}\n`);
}

/** Where a program is on PATH; null when it is nowhere. */
export function findProgram(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder; look on.
    }
  }
  return null;
}

/** Runs a program with our own streams and ends with its code when it fails. */
export function runOrExit(command, args, options = {}) {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
  if (status !== 0) process.exit(status ?? 1);
}

/** Runs a program to its end and keeps what it wrote. */
export function run(command, args, { env = {}, isShown = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
        if (isShown) process.stdout.write(chunk);
      });
    }
    child.on('close', (code) => resolve({ isFine: code === 0, output }));
    child.on('error', (error) => resolve({ isFine: false, output: String(error) }));
  });
}

const packages = [
  { programs: ['bwrap'], names: ['bubblewrap'], use: 'labs in a sandbox', isForTests: false },
  {
    programs: ['chromium', 'chromium-browser', 'google-chrome'],
    names: ['chromium', 'fonts-noto-cjk'],
    use: 'browser tests',
    isForTests: true,
  },
];

/** Installs what comes from the system's packages where we may; elsewhere says the one line that does it. */
export function ensureSystemPackages({ isForTests }) {
  const missing = packages.filter((entry) => (isForTests || !entry.isForTests) && !entry.programs.some(findProgram));
  if (missing.length === 0) return;
  const names = missing.flatMap((entry) => entry.names);
  const line = `apt-get install -y --no-install-recommends ${names.join(' ')}`;
  const isInstalled = process.getuid?.() === 0 && findProgram('apt-get') !== null && install(names);
  if (!isInstalled) say(`For ${missing.map(({ use }) => use).join(' and ')}, run as root: ${line}`);
}

function install(names) {
  say(`Installing ${names.join(' ')} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args) => spawnSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0;
  const add = () => apt('install', '-y', '--no-install-recommends', ...names);
  return add() || (apt('update') && add());
}
