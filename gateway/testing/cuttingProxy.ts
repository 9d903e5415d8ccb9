import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

export interface CuttingProxy {
  /** The database's address through the proxy. */
  url: string;
  /** The `nth` commit from now on is done, and its connection is lost before whoever asked for it hears so. */
  cutAtCommit(nth: number): void;
  /** True once that commit came; nothing is cut any more then. */
  hasCut(): boolean;
  close(): Promise<void>;
}

/** Of a message that the server sends: its kind, and its length, which counts itself. */
const HEADER_BYTES = 5;
const LENGTH_AT = 1;
const COMMAND_COMPLETE = 'C'.charCodeAt(0);
const POSTGRES_PORT = 5432;
const COMMIT = 'COMMIT\0';

/** Stands between a gateway and its PostgreSQL, and loses connections at the worst moment. */
export async function startCuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const target = addressOf(new URL(databaseUrl));
  const open = new Set<Socket>();
  let due = 0;

  /** True where this commit is the one whose answer is lost. */
  function isCut(): boolean {
    due = Math.max(due - 1, -1);
    return due === 0;
  }

  const server = createServer((client) => {
    const database = connect(target);
    const messages = new Messages();
    const lose = () => {
      client.destroy();
      database.destroy();
    };
    for (const socket of [client, database]) {
      open.add(socket);
      socket.on('error', lose).on('close', () => {
        open.delete(socket);
        lose();
      });
    }
    client.pipe(database);
    database.on('data', (bytes: Buffer) => {
      if (messages.commitsIn(bytes).some(isCut)) lose();
      else client.write(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    cutAtCommit: (nth) => {
      due = nth;
    },
    hasCut: () => due <= 0,
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Where the server listens: an embedded one at a socket in a folder. */
function addressOf({ hostname, port, searchParams }: URL): NetConnectOpts {
  const folder = searchParams.get('host');
  return folder === null
    ? { host: hostname, port: Number(port || POSTGRES_PORT) }
    : { path: `${folder}/.s.PGSQL.${port || POSTGRES_PORT}` };
}

/** The server's messages of one connection, as far as they have arrived. */
class Messages {
  private rest = Buffer.alloc(0);

  /** One entry for every commit that is complete with these bytes. */
  commitsIn(bytes: Buffer): true[] {
    this.rest = Buffer.concat([this.rest, bytes]);
    const commits: true[] = [];
    while (this.rest.length >= HEADER_BYTES) {
      const length = LENGTH_AT + this.rest.readUInt32BE(LENGTH_AT);
      if (this.rest.length < length) break;
      const isCommit = this.rest[0] === COMMAND_COMPLETE && this.rest.toString('latin1', HEADER_BYTES, length) === COMMIT;
      if (isCommit) commits.push(true);
      this.rest = this.rest.subarray(length);
    }
    return commits;
  }
}
