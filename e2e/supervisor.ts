import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalLine } from '../gateway/drivers/compute/supervisor/journal';

/** The pid of the supervisor that serves a data folder; null when none runs. */
export function findSupervisor(dataDir: string): number | null {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const [program = '', script = '', settings = ''] = readCommandLine(name);
    if (program.includes('node') && script.includes('supervisor') && settings.includes(JSON.stringify(dataDir)))
      return Number(name);
  }
  return null;
}

/** The run time of every lab as the supervisor's journal on disk has it. */
export function readJournaledRunningMs(dataDir: string): Map<string, number> {
  const journaled = new Map<string, number>();
  for (const text of readFileSync(join(dataDir, 'supervisor/journal.jsonl'), 'utf8').split('\n').filter(Boolean)) {
    const line = JSON.parse(text) as JournalLine;
    if (line.type === 'seen') for (const [ref, runningMs] of Object.entries(line.runningMs)) journaled.set(ref, runningMs);
    if (line.type === 'end') journaled.set(line.ref, line.runningMs);
  }
  return journaled;
}

function readCommandLine(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    // It ended while we looked.
    return [];
  }
}
