import { createServer } from 'node:net';
import pino from 'pino';
import { makeSocketPath, preparePaths, readInstanceId, removeSocket } from './paths';
import { SupervisorServer } from './server';
import { parseSettings } from './settings';
import { Supervisor } from './supervisor';

/** Ends with this code when another supervisor holds the DATA_DIR. */
const heldExitCode = 75;

async function main(): Promise<void> {
  process.umask(0o077);
  const settings = parseSettings(process.argv[2]);
  const log = pino({ base: { pid: process.pid } }, pino.destination({ fd: 1, sync: true }));
  const paths = preparePaths(settings.dataDir);
  const instanceId = readInstanceId(paths);
  if (!(await takeLock(instanceId))) {
    log.warn('another supervisor holds this DATA_DIR');
    process.exitCode = heldExitCode;
    return;
  }

  // Nobody is told of what is found at opening: there is nobody yet.
  let tellChange = () => {};
  const supervisor = await Supervisor.open(instanceId, settings, paths, log, () => tellChange());
  const server = new SupervisorServer(supervisor, log, () => considerLeaving());
  const socketPath = makeSocketPath(paths);
  await server.listen(socketPath);

  let isLeaving = false;
  const leave = async (detail: string) => {
    if (isLeaving) return;
    isLeaving = true;
    log.info({ detail }, 'supervisor leaves');
    removeSocket(paths, socketPath);
    await supervisor.close('engine_died', detail);
    server.close();
    process.exit(0);
  };
  const leaveSafely = (detail: string) => {
    leave(detail).catch((error: unknown) => {
      log.fatal({ err: error }, 'supervisor could not leave in order');
      process.exit(1);
    });
  };
  let idleTimer: NodeJS.Timeout | undefined;
  const considerLeaving = () => {
    clearTimeout(idleTimer);
    if (supervisor.living().length > 0) return;
    if (supervisor.isDraining) leaveSafely('drained');
    else if (server.clientCount === 0) idleTimer = setTimeout(() => leaveSafely('nobody needs it'), settings.idleExitMs);
  };
  tellChange = () => {
    server.pushChange();
    considerLeaving();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => leaveSafely(`asked to end by ${signal}`));
  process.on('SIGHUP', () => log.info('a terminal went away; the supervisor stays'));
  considerLeaving();
}

/** One supervisor a DATA_DIR: an abstract socket can be bound once and vanishes with its process, however that ends. */
function takeLock(instanceId: string): Promise<boolean> {
  const lock = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    lock.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)));
    lock.listen(process.platform === 'linux' ? `\0atelier-supervisor-${instanceId}` : `/tmp/.atelier-${instanceId}.lock`, () =>
      resolve(true),
    );
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
