import type { CurrentMembership } from '@/services/membership';
import { checkoutPath } from '@/utils/orderPaths';
import type { PackageEffect } from '../../../../../../../gateway/contract/membership';

/** What is weighed of a package. */
export interface Weighed {
  name: string;
  levelFlag: number;
  cpuCores: number;
}

/**
 * What buying it now would do, as the gateway decides it: a higher level, or more cores at the same level, begins at once; the
 * same is appended; anything else waits. The checkout shows the gateway's own answer, with its dates.
 */
export function packageEffect(current: CurrentMembership | null, offered: Weighed): PackageEffect {
  if (!current || current.levelFlag === 0) return 'NEW';
  const higher = offered.levelFlag - current.levelFlag || offered.cpuCores - current.ceilings.cpuCores;
  if (higher > 0) return 'UPGRADE';
  return higher === 0 && offered.name === current.packageName ? 'RENEW' : 'QUEUE';
}

export interface BuyPath {
  packageId: string;
  months: number;
  custom?: { cpuCores: number; monthlyDcu: number };
}

/** The checkout of a package for so many months. */
export function buyPath({ packageId, months, custom }: BuyPath): string {
  const query = new URLSearchParams({ package: packageId });
  if (custom) {
    query.set('cores', `${custom.cpuCores}`);
    query.set('dcu', `${custom.monthlyDcu}`);
  }
  query.set('months', `${months}`);
  return `${checkoutPath}?${query}`;
}
