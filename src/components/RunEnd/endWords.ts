import type { Text } from '@/utils/words';
import type { StopReason } from '../../../gateway/contract/workshopStates';

interface End {
  stopReason: StopReason;
  exitCode: number | null;
}

/** Codes whose meaning shells and kernels agree on. */
const knownExits = [0, 1, 2, 126, 127, 130, 134, 137, 139, 143] as const;
/** Only where a program itself ended does its code say why; what was told to end has one that says nothing. */
const byItself: readonly StopReason[] = ['EXITED', 'OUT_OF_MEMORY', 'START_FAILED'];
const advised = [
  'OUT_OF_MEMORY',
  'DISK_FULL',
  'BALANCE_EXHAUSTED',
  'IDLE',
  'MAX_HOURS',
  'LEVEL_MAX_HOURS',
  'START_TIMEOUT',
  'START_FAILED',
  'ENGINE_LOST',
  'VANISHED',
  'LEASE_LAPSED',
] as const;

/** What the exit code says; empty where it says nothing. */
export function exitWords({ stopReason, exitCode }: End, text: Text): string {
  if (exitCode === null || !byItself.includes(stopReason)) return '';
  const known = knownExits.find((code) => code === exitCode);
  if (known !== undefined) return text(`run.exit.${known}`);
  // Shells report a program that a signal ended as 128 and the signal's number.
  return exitCode > 128 && exitCode < 193
    ? text('run.exit.signal', { code: exitCode, signal: exitCode - 128 })
    : text('run.exit.other', { code: exitCode });
}

/** What to do about it; empty where there is nothing to do. */
export function todoWords({ stopReason }: End, text: Text): string {
  const known = advised.find((reason) => reason === stopReason);
  return known ? text(`run.todo.${known}`) : '';
}
