import { usePage, wordFilter } from '@/hooks/usePage';
import { type PointsChange, type PointsChangeQuery, pagePointsChanges } from '@/services/points';

export type PointsChangeKind = NonNullable<PointsChangeQuery['kind']>;

/** The contract's words, in the order of the filter: another one here does not compile. */
export const changeKinds = [
  'earn',
  'task',
  'checkIn',
  'spend',
  'reward',
  'return',
  'withdraw',
  'adjust',
] as const satisfies readonly PointsChangeKind[];

const filters = { kind: wordFilter<PointsChangeKind>(changeKinds) };

/** The changes of the points; page and filter stand in the URL. */
export function usePointsChanges() {
  return usePage<PointsChange, { kind: PointsChangeKind }>({ filters, load: pagePointsChanges });
}
