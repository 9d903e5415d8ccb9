import type { LevelFlag } from '../../contract/entitlements';

export interface MembershipPeriod {
  packageName: string;
  levelFlag: number;
  startsAt: Date;
  endsAt: Date;
}

export interface Rights {
  packageName: string;
  levelFlag: LevelFlag;
  /** ISO 8601; empty at level 0. */
  memberExpirationDate: string;
}

const NO_RIGHTS: Rights = { packageName: '', levelFlag: 0, memberExpirationDate: '' };

/**
 * The rights of the period in force. Renewing appends a period, so the expiry shown is the end of the unbroken run of the same
 * package and level. `periods` are those not over yet, by start.
 */
export function rightsAt(now: Date, periods: readonly MembershipPeriod[]): Rights {
  const index = periods.findIndex((period) => period.startsAt <= now && now < period.endsAt);
  const current = periods[index];
  if (!current || !isLevel(current.levelFlag) || current.levelFlag === 0) return NO_RIGHTS;
  let endsAt = current.endsAt;
  for (const next of periods.slice(index + 1)) {
    const isRenewal = next.packageName === current.packageName && next.levelFlag === current.levelFlag;
    if (!isRenewal || next.startsAt.getTime() !== endsAt.getTime()) break;
    endsAt = next.endsAt;
  }
  return { packageName: current.packageName, levelFlag: current.levelFlag, memberExpirationDate: endsAt.toISOString() };
}

function isLevel(flag: number): flag is LevelFlag {
  return flag === 0 || flag === 1 || flag === 2 || flag === 3;
}
