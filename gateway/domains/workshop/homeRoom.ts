import type { Catalogue } from '../../catalog/catalogue';
import type { Db } from '../../db/client';
import type { HomeFiles } from '../../drivers/homeFiles/homeFiles';
import type { Memberships } from './neighbours';
import type { Room } from './workshopFile.rules';
import { updateDiskBytes } from './workshopMetrics.repository';

const BYTES_PER_GB = 1024 ** 3;
/** So long a count is good enough; what this gateway writes meanwhile is added. */
const COUNTED_FOR_MS = 3_000;
const MOST_COUNTS = 1_000;

interface Counted {
  bytes: number;
  at: number;
}

interface RoomDeps {
  db: Db;
  homes: Pick<HomeFiles, 'usedBytes'>;
  catalogue: Pick<Catalogue, 'findSpec'>;
  memberships: Pick<Memberships, 'getRights'>;
  /** What a member keeps in all. */
  labs: { usageOf(memberId: string): Promise<{ storageBytes: number }> };
}

export interface RoomAsk {
  workshopId: string;
  memberId: string;
  specId: string;
}

export type HomeRoom = ReturnType<typeof createHomeRoom>;

/** What homes hold and may hold: counted on disk, kept with the workshop, and promised to whoever is still writing. */
export function createHomeRoom({ db, homes, catalogue, memberships, labs }: RoomDeps) {
  const counts = new Map<string, Counted>();
  const promised = new Map<string, number>();
  const promise = (key: string, bytes: number) => {
    const total = (promised.get(key) ?? 0) + bytes;
    if (total > 0) promised.set(key, total);
    else promised.delete(key);
  };

  async function count(workshopId: string): Promise<number | null> {
    const known = counts.get(workshopId);
    if (known && performance.now() - known.at < COUNTED_FOR_MS) return known.bytes;
    const bytes = await homes.usedBytes(workshopId);
    if (bytes === null) return known?.bytes ?? null;
    if (counts.size >= MOST_COUNTS) counts.clear();
    counts.set(workshopId, { bytes, at: performance.now() });
    return bytes;
  }

  return {
    /** The room a home has now, what is promised to others counted as taken. */
    async roomOf({ workshopId, memberId, specId }: RoomAsk): Promise<Room> {
      const counted = await count(workshopId);
      const [{ ceilings }, { storageBytes }] = await Promise.all([memberships.getRights(memberId), labs.usageOf(memberId)]);
      return {
        usedBytes: (counted ?? 0) + (promised.get(workshopId) ?? 0),
        limitBytes: catalogue.findSpec(specId)?.diskBytes ?? 0,
        memberUsedBytes: storageBytes + (promised.get(memberId) ?? 0),
        memberLimitBytes: ceilings.storageGb * BYTES_PER_GB,
      };
    },

    /** Keeps room for what is being written; the answer gives it back. */
    keep({ workshopId, memberId }: RoomAsk, bytes: number): () => void {
      promise(workshopId, bytes);
      promise(memberId, bytes);
      return () => {
        promise(workshopId, -bytes);
        promise(memberId, -bytes);
      };
    },

    /** Something was written or deleted: the next look counts anew, the workshop's row says what is known until then. */
    async changed(workshopId: string, byBytes: number): Promise<void> {
      const known = counts.get(workshopId);
      if (!known || byBytes < 0) {
        counts.delete(workshopId);
        const bytes = await count(workshopId);
        if (bytes !== null) await updateDiskBytes(db, [{ workshopId, diskBytes: bytes }]);
        return;
      }
      known.bytes += byBytes;
      await updateDiskBytes(db, [{ workshopId, diskBytes: known.bytes }]);
    },
  };
}
