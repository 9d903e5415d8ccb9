import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, resolve } from 'node:path';

const DIST = resolve(__dirname, '../dist');
const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

export interface StaticServer {
  /** Another origin than the gateway's: other name, other port. */
  origin: string;
  /** Where its files are under. */
  prefix: string;
  /** From now on it answers with another host's files and headers instead of its own. */
  answerAs(origin: string): void;
  stop(): Promise<void>;
}

/** A plain file host, as plain as can be: it knows nothing of other origins and sends no header that speaks of them. */
export async function startStaticServer(): Promise<StaticServer> {
  const prefix = '/cdn/atelier';
  let other: string | null = null;
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '', 'http://localhost').pathname.replace(prefix, '');
    if (!path.startsWith('/dist/')) return response.writeHead(404).end();
    if (other !== null) {
      const answer = await fetch(`${other}${path}`, { headers: { 'accept-encoding': 'identity' } });
      const headers = [...answer.headers].filter(([name]) => !['connection', 'keep-alive', 'content-length'].includes(name));
      return response.writeHead(answer.status, Object.fromEntries(headers)).end(Buffer.from(await answer.arrayBuffer()));
    }
    const content = await readFile(join(DIST, path.slice('/dist/'.length))).catch(() => null);
    if (content === null) return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' }).end(content);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    prefix,
    answerAs: (origin) => {
      other = origin;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
