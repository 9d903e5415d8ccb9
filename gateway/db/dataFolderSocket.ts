import { rm, stat } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { pause } from './pause';

/** How long a gateway that was just killed may still seem to be there. */
const GRACE_MS = 3_000;
const RETRY_MS = 200;

/**
 * Holds a data folder against every other gateway of this machine, whatever database each of them uses: a socket named after the
 * folder itself can be bound once and vanishes with its process. Null when another gateway holds it.
 */
export async function bindDataFolder(dataDir: string): Promise<Server | null> {
  // Not the path: the same folder has many, through links and mounts.
  const { dev, ino } = await stat(dataDir, { bigint: true });
  const name = `atelier-gateway-${dev}-${ino}`;
  const address = process.platform === 'linux' ? `\0${name}` : `/tmp/.${name}.sock`;
  for (const until = performance.now() + GRACE_MS; ; await pause(RETRY_MS)) {
    const bound = await bind(address);
    if (bound) return bound;
    if (performance.now() > until) return null;
    // Outside Linux the name is a file and outlives its process.
    if (!address.startsWith('\0') && !(await isAnswering(address))) await rm(address, { force: true });
  }
}

function bind(address: string): Promise<Server | null> {
  const server = createServer((socket) => socket.destroy()).unref();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(null) : reject(error)));
    server.listen(address, () => resolve(server));
  });
}

function isAnswering(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address, () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
