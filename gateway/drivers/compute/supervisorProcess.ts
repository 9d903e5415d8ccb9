import { spawn } from 'node:child_process';
import { closeSync, openSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { preparePaths } from './supervisor/paths';
import type { SupervisorSettings } from './supervisor/settings';

const logLimitBytes = 5 * 1024 ** 2;

/** The command line of a supervisor, but for its settings: the bundle beside the gateway's, or the source where the gateway runs from source. */
export function supervisorCommand(): string[] {
  if (__filename.endsWith('.ts'))
    return [process.execPath, '-r', require.resolve('esbuild-register'), join(__dirname, 'supervisor', 'main.ts')];
  return [process.execPath, join(__dirname, 'supervisor.js')];
}

/** Handles this process inherited from whoever started it must not end up in a lab. */
const closeInherited = `for path in /dev/fd/*; do fd="${'$'}{path##*/}"; [ "$fd" -gt 2 ] 2>/dev/null && eval "exec $fd>&-"; done; exec "$@"`;

/** Starts a supervisor that outlives this process; its words go to DATA_DIR/supervisor/supervisor.log. `onEnd` tells when it is gone again. */
export function startSupervisor(
  settings: Partial<SupervisorSettings> & { dataDir: string },
  command: string[],
  log: Logger,
  onEnd: () => void,
): void {
  const paths = preparePaths(settings.dataDir);
  if ((statSync(paths.log, { throwIfNoEntry: false })?.size ?? 0) > logLimitBytes) renameSync(paths.log, `${paths.log}.old`);
  const output = openSync(paths.log, 'a', 0o600);
  const child = spawn('/bin/bash', ['-c', closeInherited, 'bash', ...command, JSON.stringify(settings)], {
    // Nothing of the gateway's secrets is needed there, so nothing of them is given.
    env: { PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' },
    cwd: '/',
    detached: true,
    stdio: ['ignore', output, output],
  });
  child.once('error', (error) => {
    log.error({ err: error }, 'the supervisor could not be started');
    onEnd();
  });
  child.once('exit', onEnd);
  closeSync(output);
  child.unref();
}
