import { spawn } from 'node:child_process';

/** How long a program may take to end before it is killed. */
const END_LIMIT_MS = 5_000;

/**
 * Programs that live and end together: when one ends, or a signal asks, all are ended with whatever they have started, and then
 * `onStop` runs. Each leads a process group of its own, because a compiler's service does not notice that its owner has gone.
 */
export function createChildren(onStop = () => undefined) {
  const children = new Set();
  let isStopping = false;

  function start(command, args, env = {}, stdio = ['ignore', 'inherit', 'inherit']) {
    const child = spawn(command, args, { stdio, env: { ...process.env, ...env }, detached: true });
    children.add(child);
    child.on('exit', (code) => {
      // The program has ended; what it started may not have.
      endGroup(child, 'SIGKILL');
      children.delete(child);
      stop(code ?? 0);
    });
    return child;
  }

  function stop(code) {
    if (isStopping) return;
    isStopping = true;
    process.exitCode = code;
    for (const child of children) endGroup(child, 'SIGTERM');
    setTimeout(() => {
      for (const child of children) endGroup(child, 'SIGKILL');
    }, END_LIMIT_MS).unref();
    onStop();
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(0));
  return { start };
}

function endGroup({ pid }, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // Nobody is left in the group.
    if (error.code !== 'ESRCH') throw error;
  }
}
