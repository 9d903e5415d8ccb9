import { type Entitlement, entitlementOf, type LevelFlag } from '../../contract/entitlements';

/** What a package permits; custom packages have ceilings of their own. */
export type Ceilings = Omit<Entitlement, 'levelFlag'>;

export interface MembershipPeriod {
  packageName: string;
  levelFlag: number;
  startsAt: Date;
  endsAt: Date;
  /** Null where they are the level's own. */
  ceilings: Ceilings | null;
}

export interface Rights {
  packageName: string;
  levelFlag: LevelFlag;
  /** ISO 8601; empty at level 0. */
  memberExpirationDate: string;
  ceilings: Ceilings;
}

/**
 * The rights of the period in force. Renewing appends a period, so the expiry shown is the end of the unbroken run of the same
 * package, level and CPU ceiling. `periods` are those not over yet, by start.
 */
export function rightsAt(now: Date, periods: readonly MembershipPeriod[]): Rights {
  const index = periods.findIndex((period) => period.startsAt <= now && now < period.endsAt);
  const current = periods[index];
  if (!current || !isLevel(current.levelFlag) || current.levelFlag === 0) {
    return { packageName: '', levelFlag: 0, memberExpirationDate: '', ceilings: ceilingsOf(0, null) };
  }
  const { packageName, levelFlag } = current;
  const ceilings = ceilingsOf(levelFlag, current.ceilings);
  let endsAt = current.endsAt;
  for (const next of periods.slice(index + 1)) {
    const isSame = next.packageName === packageName && next.levelFlag === levelFlag;
    const isRenewal = isSame && ceilingsOf(levelFlag, next.ceilings).cpuCores === ceilings.cpuCores;
    if (!isRenewal || next.startsAt.getTime() !== endsAt.getTime()) break;
    endsAt = next.endsAt;
  }
  return { packageName, levelFlag, memberExpirationDate: endsAt.toISOString(), ceilings };
}

/** A package's own ceilings, or its level's. */
export function ceilingsOf(levelFlag: number, own: Ceilings | null): Ceilings {
  const { levelFlag: _, ...ceilings } = own ? { levelFlag, ...own } : entitlementOf(levelFlag);
  return ceilings;
}

function isLevel(flag: number): flag is LevelFlag {
  return flag === 0 || flag === 1 || flag === 2 || flag === 3;
}
