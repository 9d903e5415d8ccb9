import { brokenConstraint, type Db, inTransaction, type Tx } from '../../db/client';
import { Refusal } from '../../refusal';
import type { Viewer } from './neighbours';
import { type LockedWorkshop, lockWorkshop } from './workshop.repository';

/** Runs a change and, once it is committed, wakes the loop. Throws WORKSHOP_NAME_TAKEN where the name index refuses. */
export async function change<T>({ db, kick }: { db: Db; kick: () => void }, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    const answer = await inTransaction(db, work);
    kick();
    return answer;
  } catch (error) {
    if (brokenConstraint(error) === 'workshop_name') throw new Refusal('WORKSHOP_NAME_TAKEN');
    throw error;
  }
}

/** Throws NOT_FOUND, for another's workshop too. */
export async function lockMine(tx: Tx, viewer: Viewer, workshopId: string): Promise<LockedWorkshop> {
  const workshop = await lockWorkshop(tx, viewer.memberId, workshopId);
  if (!workshop) throw new Refusal('NOT_FOUND');
  return workshop;
}
