import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { type IPty, spawn } from '@lydell/node-pty';
import type { TerminalCommand } from './sandbox';
import type { Shell } from './shell';

/** Starts a command on a pseudo terminal of this host. */
export function openPtyShell({ file, args, cwd, env }: TerminalCommand, size: { cols: number; rows: number }): Shell {
  // Encoding null gives bytes; the type of `onData` does not know that.
  const pty = spawn(file, args, { name: 'xterm-256color', cwd, env, encoding: null, ...size });
  return {
    pid: pty.pid,
    onData: (listener) => void pty.onData((chunk) => listener(Buffer.from(chunk))),
    onExit: (listener) => void pty.onExit(({ exitCode }) => listener(exitCode)),
    write: (chunk) => writeNow(pty, chunk),
    resize: (cols, rows) => pty.resize(cols, rows),
    pause: () => pty.pause(),
    resume: () => pty.resume(),
  };
}

/**
 * Bytes the terminal took at once; 0 when it takes none. Its handle is in non-blocking mode and is written to itself: through the
 * library's stream, libuv spins on this side of a pseudo terminal for as long as the shell reads nothing, and everybody stands still.
 */
function writeNow(pty: IPty, chunk: Buffer): number {
  const fd: unknown = Reflect.get(pty, 'fd');
  const stream: unknown = Reflect.get(pty, '_socket');
  if (typeof fd !== 'number' || !(stream instanceof Socket)) throw new Error('the pseudo terminal has no handle');
  // Once its stream is closed the number may already stand for something else.
  if (stream.destroyed) return chunk.length;
  try {
    return writeSync(fd, chunk);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EAGAIN') return 0;
    // The shell is gone; its exit is on the way.
    if (code === 'EIO') return chunk.length;
    throw error;
  }
}
