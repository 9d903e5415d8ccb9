import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findProgram } from '../system.mjs';

/** What a lab of the tests types. */
const programs = [
  ...[
    'bash',
    'sh',
    'ls',
    'cat',
    'echo',
    'head',
    'tail',
    'cut',
    'tr',
    'sleep',
    'seq',
    'stty',
    'grep',
    'sed',
    'awk',
    'ps',
    'touch',
    'rm',
  ],
  ...[
    'mkdir',
    'readlink',
    'mount',
    'unshare',
    'env',
    'id',
    'nproc',
    'kill',
    'yes',
    'ln',
    'chmod',
    'true',
    'mv',
    'cp',
    'tty',
    'setsid',
  ],
  ...['find', 'wc', 'df', 'dd', 'chown', 'hostname'],
];

/** Packs this machine's own programs, with the libraries they need, as the file system of a small image; no registry is asked. */
export function packLabImage(folder) {
  const root = join(folder, 'root');
  mkdirSync(join(root, 'usr/bin'), { recursive: true });
  for (const name of ['bin', 'lib', 'lib64']) {
    mkdirSync(join(root, 'usr', name), { recursive: true });
    symlinkSync(`usr/${name}`, join(root, name));
  }
  for (const name of ['etc', 'proc', 'dev', 'sys', 'tmp', 'run', 'home/lab', 'datasets'])
    mkdirSync(join(root, name), { recursive: true });
  chmodSync(join(root, 'tmp'), 0o1777);
  for (const name of programs) copyProgram(root, name);
  const archive = join(folder, 'lab.tar');
  const { status, stderr } = spawnSync('tar', ['-C', root, '--owner=0', '--group=0', '-cf', archive, '.'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the image could not be packed: ${stderr}`);
  return archive;
}

function copyProgram(root, name) {
  const found = findProgram(name);
  if (!found) throw new Error(`this machine has no ${name}, which the tests' image needs`);
  place(root, realpathSync(found), `/usr/bin/${name}`);
  const { stdout } = spawnSync('ldd', [realpathSync(found)], { encoding: 'utf8' });
  for (const [, library] of stdout.matchAll(/(?:=> |^\s*)(\/\S+) \(0x/gm)) place(root, realpathSync(library), usual(library));
}

/** Under `/usr`, whichever of the two names of the same folder was said. */
const usual = (path) => (path.startsWith('/usr/') ? path : `/usr${path}`);

function place(root, from, to) {
  const target = join(root, to);
  if (existsSync(target)) return;
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(from, target);
  chmodSync(target, 0o755);
}
