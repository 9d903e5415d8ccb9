import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';

export interface Child {
  process: ChildProcess;
  /** Everything it wrote so far, both streams. */
  output(): string;
  /** The first line of its standard output that matches; rejects, with what it wrote, when it ends before. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends the signal and resolves with the exit code once it has ended; null when the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  exited: Promise<number | null>;
}

/** A program of ours in a process of its own, to be killed for real. TypeScript entries are compiled as they load. */
export function startChild(entry: string, env: Record<string, string> = {}, args: readonly string[] = []): Child {
  const loader = entry.endsWith('.ts') ? ['-r', 'esbuild-register'] : [];
  const child = spawn(process.execPath, [...loader, entry, ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A test that fails before it ends its child must neither wait for it nor leave it behind.
  child.unref();
  for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref();
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const lines: string[] = [];
  const written: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => {
    lines.push(line);
    written.push(line);
  });
  createInterface({ input: child.stderr }).on('line', (line) => written.push(line));
  const exited = once(child, 'close').then(([code]) => {
    process.off('exit', kill);
    return code as number | null;
  });

  return {
    process: child,
    exited,
    output: () => written.join('\n'),
    line(pattern) {
      return new Promise((resolve, reject) => {
        function look(line: string): void {
          const match = pattern.exec(line);
          if (match) resolve(match);
        }
        lines.forEach(look);
        reader.on('line', look);
        void exited.then((code) => reject(new Error(`ended with ${code} and never said ${pattern}:\n${written.join('\n')}`)));
      });
    },
    end(signal) {
      child.kill(signal);
      return exited;
    },
  };
}
