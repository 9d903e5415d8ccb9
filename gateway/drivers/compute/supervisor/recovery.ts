import type { Logger } from 'pino';
import { killMarked, type MarkerIndex } from './bareSandbox';
import type { Journal, JournaledEnd } from './journal';
import { Lab } from './lab';
import { signalMarked } from './procTree';

/**
 * What a supervisor that died left behind: its living labs ended with it, as long as the journal saw them; anything of
 * theirs that survived is killed, told from a later process with the same pid by its start time or its mark.
 */
export async function recoverLabs(journal: Journal, markers: MarkerIndex, log: Logger): Promise<Map<string, Lab>> {
  const labs = new Map<string, Lab>();
  for (const [ref, journaled] of journal.state.labs) {
    if (!journaled.end) {
      for (const mark of [...journaled.processes].reverse()) signalMarked(mark, 'SIGKILL');
      await killMarked(markers, ref);
      const end: JournaledEnd = {
        runningMs: journaled.runningMs,
        endReason: 'engine_died',
        exitCode: null,
        detail: 'the supervisor died; run time as of its last journal line',
      };
      await journal.append({ type: 'end', ref, ...end });
    }
    if (journaled.end) labs.set(ref, Lab.fromJournal(journaled.spec, journaled.leaseLimitMs, journaled.end, journal, log));
  }
  return labs;
}
