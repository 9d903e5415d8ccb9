import { dirname, join } from 'node:path';
import type { HomePlace } from '../compute/computeEngine';
import { programFolders, programMounts } from '../compute/supervisor/host';
import type { NamespaceTools } from '../compute/supervisor/namespaceSandbox';
import { launchScript } from '../compute/supervisor/sandbox';

/** Read from the third handle, so that it needs no place in the sandbox, nor one whoever runs it may read. */
const START = "new Function('require', require('fs').readFileSync(3, 'utf8'))(require)";
const MEMORY = ['--max-old-space-size=64', '--max-semi-space-size=1'];
const LIMITS = ['--nproc=64', '--nofile=1024', '--core=0'];
const HOME = '/home/lab';
const NODE_FOLDER = '/opt/node';
/** Where the launch script puts what a process without root's rights could not reach. */
const STAGED = { home: '/mnt/home', node: '/mnt/shown0' };

interface AgentCommand {
  file: string;
  args: string[];
  env: Record<string, string>;
}

/** An agent that runs as the home's uid and, with `tools`, in a sandbox in which there is nothing but the home and programs. */
export function agentCommand(tools: NamespaceTools | null, place: HomePlace, node = process.execPath): AgentCommand {
  const isStaged = process.getuid?.() === 0 && place.uid !== 0;
  const isNodeShown = programFolders.some((folder) => dirname(node) === folder);
  const where = isStaged ? { home: STAGED.home, nodeFolder: STAGED.node } : { home: place.directory, nodeFolder: dirname(node) };
  const seen = tools ? { home: HOME, nodeFolder: NODE_FOLDER } : where;
  const program = isNodeShown ? node : join(seen.nodeFolder, 'node');
  const agent = [program, ...MEMORY, '-e', START, '--', seen.home, tools ? 'contained' : 'bare'];
  const env = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' };
  const confined = tools
    ? [tools.bwrap, ...sandboxArguments(tools, where, isNodeShown, env), '--', tools.prlimit, ...LIMITS, ...agent]
    : agent;
  if (!isStaged) return { file: confined[0] ?? '', args: confined.slice(1), env };
  const identity = ['--reuid', String(place.uid), '--regid', String(place.gid), '--clear-groups', '--no-new-privs'];
  const shown = isNodeShown ? ['0'] : ['1', dirname(node)];
  // The script stages two folders; the agent has use for one.
  const staging = [
    '-c',
    launchScript,
    'sh',
    place.directory,
    place.directory,
    ...shown,
    '--',
    'setpriv',
    ...identity,
    '--',
    ...confined,
  ];
  return { file: 'unshare', args: ['--mount', '--propagation', 'private', '--', '/bin/sh', ...staging], env };
}

function sandboxArguments(
  tools: NamespaceTools,
  where: { home: string; nodeFolder: string },
  isNodeShown: boolean,
  env: Record<string, string>,
): string[] {
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-net', '--unshare-cgroup-try'],
    ...(tools.canDisableUserns ? ['--disable-userns'] : []),
    ...['--die-with-parent', '--hostname', 'files', '--uid', '1000', '--gid', '1000', '--cap-drop', 'ALL'],
    ...programMounts(),
    ...(isNodeShown ? [] : ['--ro-bind', where.nodeFolder, NODE_FOLDER]),
    ...['--proc', '/proc', '--dev', '/dev', '--dir', '/etc', '--bind', where.home, HOME],
    ...['--remount-ro', '/dev', '--remount-ro', '/', '--chdir', '/'],
    ...['--clearenv', ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value])],
  ];
}
