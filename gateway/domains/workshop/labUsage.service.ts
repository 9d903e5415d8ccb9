import type { Catalogue } from '../../catalog/catalogue';
import type { Db } from '../../db/client';
import { openLabsOf } from './specOffer.service';
import { listOpenLabs, sumStoredBytes } from './workshop.repository';

/** What a member takes of what their package permits. */
export function createLabUsageService({ db, catalogue }: { db: Db; catalogue: Pick<Catalogue, 'findSpec'> }) {
  return {
    /** What the member's labs and files take of the ceilings now. */
    async usageOf(
      memberId: string,
    ): Promise<{ cpuCores: number; microPerHour: bigint; storageBytes: number; runningLabs: number }> {
      const [open, storageBytes] = await Promise.all([listOpenLabs(db, memberId), sumStoredBytes(db, memberId)]);
      const labs = openLabsOf(catalogue, open);
      return {
        cpuCores: labs.reduce((sum, lab) => sum + lab.cpuCores, 0),
        microPerHour: labs.reduce((sum, lab) => sum + lab.rateMicroPerHour, 0n),
        storageBytes: Number(storageBytes),
        runningLabs: labs.length,
      };
    },
  };
}
