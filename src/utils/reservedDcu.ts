import type { AccountOverview } from '@/services/account';

/**
 * What is set aside ahead for running labs: balance = available + this. The gateway's `heldDcu` also contains what they have
 * used and is not settled yet, which the balance no longer shows.
 */
export function reservedDcu({ remainDcu, availableDcu }: Pick<AccountOverview, 'remainDcu' | 'availableDcu'>): number {
  return Math.max(0, Math.round((remainDcu - availableDcu) * 1e6) / 1e6);
}
