import type { Readable } from 'node:stream';
import { HomeFilesError, type PackCounts, type UnpackLimits, type WriteOptions } from '../homeFiles';
import { partsOf } from '../paths';
import { frameKind, Wire } from '../wire';
import { bytesOf, packHome, unpack, zip } from './archiving';
import { inFolder, openPlainFile } from './folder';
import type { Home } from './home';
import { list, stat } from './looking';
import { makeFolder, remove, rename, write } from './writing';

/** What is answered with a stream. */
type GivingAsk = { op: 'read'; path: string; start: number; end: number } | { op: 'zip'; path: string } | { op: 'pack' };

/** What a gateway may ask, one JSON object; streams follow on the same call's number. */
export type Ask =
  | { op: 'list' | 'stat' | 'makeFolder'; path: string }
  | GivingAsk
  | { op: 'rename'; path: string; to: string }
  | { op: 'delete'; paths: string[] }
  | { op: 'write'; path: string; options: WriteOptions }
  | { op: 'unpack'; limits: UnpackLimits };

export type Fail = { problem: HomeFilesError['problem'] | null; detail: string };

const [root = '', containment = ''] = process.argv.slice(-2);
const home: Home = { root, isContained: containment === 'contained' };
const running = new Set<Promise<void>>();

const wire = new Wire(process.stdin, process.stdout, take, (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
});

function take(kind: number, id: number, payload: Buffer): void {
  if (kind === frameKind.fail) wire.failInflow(id, new HomeFilesError('UNAVAILABLE', 'the upload was ended'));
  if (kind !== frameKind.ask) return;
  const work = serve(id, JSON.parse(payload.toString())).finally(() => running.delete(work));
  running.add(work);
}

async function serve(id: number, ask: Ask): Promise<void> {
  try {
    if (ask.op === 'read' || ask.op === 'zip' || ask.op === 'pack') await give(id, ask);
    else wire.sendJson(frameKind.answer, id, (await act(id, ask)) ?? null);
  } catch (error) {
    const problem = error instanceof HomeFilesError ? error.problem : null;
    const detail = error instanceof Error ? error.message : String(error);
    wire.sendJson(frameKind.fail, id, { problem, detail } satisfies Fail);
  }
}

async function act(id: number, ask: Exclude<Ask, GivingAsk>): Promise<unknown> {
  switch (ask.op) {
    case 'list':
      return list(home, ask.path);
    case 'stat':
      return stat(home, ask.path);
    case 'makeFolder':
      return makeFolder(home, ask.path);
    case 'rename':
      return rename(home, ask.path, ask.to);
    case 'delete':
      return remove(home, ask.paths);
    case 'write':
      return withInflow(id, (source) => write(home, ask.path, source, ask.options));
    case 'unpack':
      return withInflow(id, (source) => unpack(home, source, ask.limits));
  }
}

/** The stream is over when its use is, however that ends. */
async function withInflow<T>(id: number, use: (source: Readable) => Promise<T>): Promise<T> {
  const source = wire.openInflow(id);
  // Whoever reads it hears of it; nobody may be reading any more.
  source.on('error', () => undefined);
  try {
    return await use(source);
  } finally {
    source.destroy();
  }
}

/** Answers, then gives the bytes, then what is known at their end. */
async function give(id: number, ask: GivingAsk): Promise<void> {
  const counts: PackCounts = { files: 0, leftOut: 0 };
  const source =
    ask.op === 'read' ? await openRange(ask) : ask.op === 'zip' ? await zip(home, ask.path) : await packHome(home, counts);
  wire.sendJson(frameKind.answer, id, null);
  if (await wire.pour(id, source)) wire.sendJson(frameKind.end, id, counts);
}

async function openRange({ path, start, end }: Extract<GivingAsk, { op: 'read' }>): Promise<Readable> {
  const parts = partsOf(path);
  const name = parts.pop();
  if (name === undefined) throw new HomeFilesError('NOT_A_FILE', 'the home itself');
  const handle = await inFolder(home.root, parts, (folder) => openPlainFile(folder.at(name), home.isContained));
  return bytesOf(handle, start, end - start + 1, false);
}

/** The gateway is gone: what it was sending will not come, and nothing half-written stays. */
process.stdin.on('end', () => {
  wire.break(new HomeFilesError('UNAVAILABLE', 'the gateway went away'));
  Promise.allSettled(running).then(() => process.exit(0));
});
process.stdout.on('error', () => wire.break(new Error('nobody listens')));
process.umask(0o022);
wire.sendJson(frameKind.answer, 0, { isReady: true });
