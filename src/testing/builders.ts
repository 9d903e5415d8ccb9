import type { AccountOverview, DcuChange } from '@/services/account';
import type { SessionUser } from '@/services/user';
import { emptyUser } from '@/utils/emptyUser';

export function buildUser(change: Partial<SessionUser> = {}): SessionUser {
  return { ...emptyUser, userId: 'm1', userName: 'lin.hua', mobilePhone: '138****8000', remainDcu: 9.583412, ...change };
}

export function buildOverview(change: Partial<AccountOverview> = {}): AccountOverview {
  return {
    remainDcu: 9.583412,
    availableDcu: 9.500079,
    heldDcu: 0.083333,
    lots: [
      { lotId: 'l1', source: 'gift', grantedDcu: 10, remainDcu: 9.583412, grantedAt: '2026-11-01T00:00:00Z', expiresAt: null },
    ],
    burnDcuPerHour: 0,
    runningLabs: 0,
    lastsUntil: null,
    runwayMs: null,
    alert: null,
    spentTodayDcu: 0.25,
    spentMonthDcu: 0.416588,
    at: '2026-11-21T08:00:00Z',
    ...change,
  };
}

export function buildChange(change: Partial<DcuChange> = {}): DcuChange {
  return {
    changeId: 'c1',
    at: '2026-11-21T08:00:00Z',
    kind: 'gift',
    amountDcu: 10,
    balanceAfterDcu: 10,
    subject: 'signup gift',
    orderId: null,
    sessionId: null,
    workshopId: null,
    observedMs: null,
    dcuPerHour: null,
    ...change,
  };
}
