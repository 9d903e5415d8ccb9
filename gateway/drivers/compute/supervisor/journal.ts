import { constants } from 'node:fs';
import { type FileHandle, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { EndReason, LabSpec } from '../computeEngine';

export interface JournaledEnd {
  runningMs: number;
  endReason: EndReason;
  exitCode: number | null;
  detail: string;
}

/** A process of a lab, told apart from a later one with the same pid by the kernel's start time. */
export interface ProcessMark {
  pid: number;
  startTicks: number;
}

export type JournalLine =
  | { type: 'start'; spec: LabSpec }
  | { type: 'process'; ref: string; process: ProcessMark }
  | { type: 'seen'; at: string; runningMs: Record<string, number> }
  | { type: 'lease'; ref: string; leaseLimitMs: number }
  | ({ type: 'end'; ref: string } & JournaledEnd)
  | { type: 'forget'; refs: string[] };

/** What the journal knows about one lab that was not forgotten. */
export interface JournaledLab {
  spec: LabSpec;
  leaseLimitMs: number;
  runningMs: number;
  processes: ProcessMark[];
  end: JournaledEnd | null;
}

export interface JournalState {
  labs: Map<string, JournaledLab>;
  /** Refs that ended and were booked, newest last; kept so that none of them starts again. */
  forgotten: string[];
}

const keptForgotten = 10_000;
const compactAboveBytes = 4 * 1024 ** 2;

/**
 * The supervisor's append-only memory: a line is on disk before what it says is reported, so that whatever a gateway
 * was told survives a crash. It is rewritten from `state` at opening, when large, and after a failed write.
 */
export class Journal {
  private waiting: string[] = [];
  private flushing: Promise<void> | null = null;
  private sizeBytes = 0;
  private mustRewrite = false;

  private constructor(
    private readonly path: string,
    private file: FileHandle,
    /** Everything appended so far, whether on disk yet or not. */
    readonly state: JournalState,
  ) {}

  /** Reads what is there, tolerating a torn last line, and goes on from a compacted copy. */
  static async open(path: string): Promise<Journal> {
    const state = await readJournal(path);
    return new Journal(path, await writeCompacted(path, compactText(state)), state);
  }

  /** Resolves once the lines are on disk; lines of the same turn share one fsync. Rejects when the disk refuses them. */
  append(...lines: JournalLine[]): Promise<void> {
    for (const line of lines) {
      applyLine(this.state, line);
      this.waiting.push(`${JSON.stringify(line)}\n`);
    }
    return this.flushed();
  }

  async close(): Promise<void> {
    await this.flushed();
    await this.file.close();
  }

  private async flushed(): Promise<void> {
    // A flush under way took its lines before ours came, so ours need the one after it; its failure is not ours.
    const earlier = this.flushing;
    if (earlier) await earlier.catch(() => undefined);
    if (this.waiting.length > 0 && this.flushing === null) {
      this.flushing = this.flush().finally(() => {
        this.flushing = null;
      });
    }
    await this.flushing;
  }

  private async flush(): Promise<void> {
    const text = this.waiting.join('');
    this.waiting = [];
    try {
      if (this.mustRewrite || this.sizeBytes > compactAboveBytes) {
        await this.rewrite();
        return;
      }
      await this.file.appendFile(text);
      await this.file.datasync();
      this.sizeBytes += Buffer.byteLength(text);
    } catch (error) {
      // Half a line may be in the file now; only a fresh copy of everything is sound again.
      this.mustRewrite = true;
      throw error;
    }
  }

  private async rewrite(): Promise<void> {
    const old = this.file;
    this.file = await writeCompacted(this.path, compactText(this.state));
    this.sizeBytes = 0;
    this.mustRewrite = false;
    await old.close();
  }
}

async function writeCompacted(path: string, text: string): Promise<FileHandle> {
  const draft = `${path}.new`;
  const file = await open(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_APPEND, 0o600);
  await file.appendFile(text);
  await file.datasync();
  await rename(draft, path);
  const folder = await open(dirname(path), constants.O_RDONLY);
  await folder.sync();
  await folder.close();
  return file;
}

function compactText({ labs, forgotten }: JournalState): string {
  const lines: JournalLine[] = [{ type: 'forget', refs: forgotten }];
  for (const [ref, lab] of labs) {
    lines.push({ type: 'start', spec: lab.spec }, { type: 'lease', ref, leaseLimitMs: lab.leaseLimitMs });
    lines.push(...lab.processes.map((process) => ({ type: 'process' as const, ref, process })));
    lines.push({ type: 'seen', at: new Date().toISOString(), runningMs: { [ref]: lab.runningMs } });
    if (lab.end) lines.push({ type: 'end', ref, ...lab.end });
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** The state the journal's whole lines add up to; a file that is not there is an empty one. */
export async function readJournal(path: string): Promise<JournalState> {
  const state: JournalState = { labs: new Map(), forgotten: [] };
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  for (const raw of text.split('\n')) {
    const line = parseLine(raw);
    if (line) applyLine(state, line);
  }
  return state;
}

/** Null for a torn line: a crash cuts only what was never confirmed to anybody. */
function parseLine(raw: string): JournalLine | null {
  if (!raw.startsWith('{') || !raw.endsWith('}')) return null;
  try {
    return JSON.parse(raw);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function applyLine(state: JournalState, line: JournalLine): void {
  if (line.type === 'start') {
    const { spec } = line;
    state.labs.set(spec.ref, { spec, leaseLimitMs: spec.leaseLimitMs, runningMs: 0, processes: [], end: null });
  } else if (line.type === 'seen') {
    for (const [ref, runningMs] of Object.entries(line.runningMs)) {
      const lab = state.labs.get(ref);
      if (lab) lab.runningMs = Math.max(lab.runningMs, runningMs);
    }
  } else if (line.type === 'forget') {
    for (const ref of line.refs) state.labs.delete(ref);
    state.forgotten.push(...line.refs);
    state.forgotten.splice(0, state.forgotten.length - keptForgotten);
  } else {
    const lab = state.labs.get(line.ref);
    if (!lab) return;
    if (line.type === 'process') lab.processes.push(line.process);
    else if (line.type === 'lease') lab.leaseLimitMs = Math.max(lab.leaseLimitMs, line.leaseLimitMs);
    else lab.end = { runningMs: line.runningMs, endReason: line.endReason, exitCode: line.exitCode, detail: line.detail };
  }
}
