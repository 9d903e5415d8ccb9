import type { Logger } from 'pino';
import type { LabSpec } from '../computeEngine';
import { killMarked, MarkerIndex } from './bareSandbox';
import type { Journal, JournaledEnd } from './journal';
import { Lab } from './lab';
import type { LabHost } from './labHost';
import { signalMarked } from './procTree';

/** Labs that outlived their supervisor run on under their leases; the time nobody saw is free. */
export async function adoptLabs(journal: Journal, host: LabHost, labOf: (spec: LabSpec) => Lab): Promise<Lab[]> {
  const adopted: Lab[] = [];
  for (const { spec, leaseLimitMs, runningMs, end } of journal.state.labs.values()) {
    if (end) continue;
    const lab = labOf(spec);
    lab.leaseLimitMs = leaseLimitMs;
    const place = leaseLimitMs > runningMs ? await host.adopt(lab) : null;
    if (!place) continue;
    await lab.begin(place, runningMs);
    adopted.push(lab);
  }
  await host.sweep(new Set(adopted.map((lab) => lab.spec.ref)));
  return adopted;
}

/**
 * What else a supervisor that died left behind: its living labs ended with it, as long as the journal saw them; anything of
 * theirs that survived is killed, told from a later process with the same pid by its start time or its mark.
 */
export async function recoverLabs(
  journal: Journal,
  instanceId: string,
  adopted: readonly Lab[],
  log: Logger,
): Promise<Map<string, Lab>> {
  const labs = new Map(adopted.map((lab) => [lab.spec.ref, lab]));
  const markers = new MarkerIndex(instanceId);
  for (const [ref, journaled] of journal.state.labs) {
    if (labs.has(ref)) continue;
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
