import type { Spec } from '../../catalog/catalogue';
import type { CustomPackageEntry } from '../../catalog/saleEntries';
import { type Entitlement, type LevelFlag, levels } from '../../contract/entitlements';
import { limits } from '../../contract/limits';
import { canDo, type StopCause, transitionTable, type WorkshopAction, type WorkshopState } from '../../contract/workshopStates';
import { dcuFromMicro, microFromDcu } from '../../dcu';
import type { Language } from '../../locales/messages';
import { sentencesOf, wordOf } from '../../locales/workshopWords';
import { invalidField, Refusal } from '../../refusal';
import { hoursLimit, idleStopsInMs } from './idle.rules';

export const HOUR_MS = 3_600_000;
const MB = 1_048_576n;
const GB = 1_073_741_824n;

/** What a member's package permits. */
export type Ceilings = Omit<Entitlement, 'levelFlag'>;

/** An open lab session as the limits see it. */
export interface OpenLab {
  cpuCores: number;
  rateMicroPerHour: bigint;
}

/** True where the state machine lets a workshop go from one state to another. */
export function canMove(from: WorkshopState, to: WorkshopState): boolean {
  return transitionTable[from].includes(to);
}

/** Throws WORKSHOP_STATE_CONFLICT where the action table does not offer the action. */
export function requireAction(state: WorkshopState, action: WorkshopAction): void {
  if (!canDo(state, action)) throw new Refusal('WORKSHOP_STATE_CONFLICT', { data: { state, action } });
}

/** A name as it is stored: composed and trimmed. Throws INVALID_INPUT where that leaves it too long. */
export function storedName(name: string): string {
  const stored = name.normalize('NFC').trim();
  const length = [...stored].length;
  if (length < limits.workshopName.min || length > limits.workshopName.max) {
    throw invalidField('body.name', 'length', limits.workshopName);
  }
  return stored;
}

/** The lowest level at which this spec alone may run. */
export function minimumLevelOf(spec: Spec): LevelFlag {
  return lowestLevelFor(spec.cpuCores, spec.rateMicroPerHour)?.levelFlag ?? 3;
}

/** True where the ceilings allow this spec alone. */
export function isAllowedBy(ceilings: Ceilings, spec: Spec): boolean {
  return spec.cpuCores <= ceilings.cpuCores && spec.rateMicroPerHour <= ceilingMicro(ceilings);
}

/** What a start is measured by: what the member's package permits, and what the catalogue offers as a way out. */
export interface LimitAsk {
  levelFlag: LevelFlag;
  ceilings: Ceilings;
  open: readonly OpenLab[];
  spec: Spec;
  specs: readonly Spec[];
  custom: Pick<CustomPackageEntry, 'cpuCores' | 'dcuPerHourPerCore'>;
  language: Language;
}

/**
 * The member's ceilings over every open lab plus the one to start, asked under the wallet lock. Throws, in this order,
 * MEMBER_RUNNING_LABS_LIMIT, MEMBER_MAX_LEVEL_CPU_LIMIT or MEMBER_NOT_MAX_LEVEL_CPU_LIMIT, MEMBER_DCU_LIMIT (RATE_CEILING).
 */
export function requireWithinLevel(ask: LimitAsk): void {
  const { ceilings, open, spec } = ask;
  if (open.length >= ceilings.runningLabs) {
    throw new Refusal('MEMBER_RUNNING_LABS_LIMIT', {
      params: { limit: ceilings.runningLabs },
      data: { limit: ceilings.runningLabs, running: open.length },
    });
  }
  const usedCores = open.reduce((sum, lab) => sum + lab.cpuCores, 0);
  if (usedCores + spec.cpuCores > ceilings.cpuCores) throw cpuRefusal(ask, usedCores);
  const usedMicro = open.reduce((sum, lab) => sum + lab.rateMicroPerHour, 0n);
  if (usedMicro + spec.rateMicroPerHour > ceilingMicro(ceilings)) throw rateRefusal(ask, usedMicro);
}

function cpuRefusal(ask: LimitAsk, usedCores: number): Refusal {
  const { ceilings, spec, language } = ask;
  const needed = usedCores + spec.cpuCores;
  const allowing = levels.find((one) => one.levelFlag > ask.levelFlag && needed <= one.cpuCores);
  const shared = { usedCpuCores: usedCores, neededCpuCores: spec.cpuCores, limitCpuCores: ceilings.cpuCores };
  // No level can be recommended where even the highest would refuse, so that answer is the highest level's own.
  if (allowing) {
    return new Refusal('MEMBER_NOT_MAX_LEVEL_CPU_LIMIT', {
      params: { limit: ceilings.cpuCores, level: allowing.levelFlag },
      data: { ...shared, neededLevel: allowing.levelFlag },
    });
  }
  const fits = largestFit(ask.specs, ceilings.cpuCores - usedCores);
  const customPackage = customFor(ask.custom, needed);
  return new Refusal('MEMBER_MAX_LEVEL_CPU_LIMIT', {
    params: {
      limit: Math.max(levels[3].cpuCores, ceilings.cpuCores),
      fits: fits ? fits.name[language] : wordOf('noneFits', language),
      wayOut: customPackage ? wordOf('customFits', language, { cores: customPackage.cpuCores }) : '',
    },
    data: {
      ...shared,
      largestFit: fits ? { specId: fits.specId, name: fits.name[language], cpuCores: fits.cpuCores } : null,
      customPackage,
    },
  });
}

function rateRefusal({ levelFlag, ceilings, spec, custom }: LimitAsk, usedMicro: bigint): Refusal {
  const used = dcuFromMicro(usedMicro);
  const needed = dcuFromMicro(spec.rateMicroPerHour);
  const neededMicro = usedMicro + spec.rateMicroPerHour;
  const allowing = levels.find((one) => one.levelFlag > levelFlag && neededMicro <= ceilingMicro(one));
  const neededCores = Math.ceil(dcuFromMicro(neededMicro) / custom.dcuPerHourPerCore);
  return new Refusal('MEMBER_DCU_LIMIT', {
    sentences: sentencesOf('rateCeiling', { limit: ceilings.dcuPerHour, used, needed }),
    data: {
      cause: 'RATE_CEILING',
      limitDcuPerHour: ceilings.dcuPerHour,
      usedDcuPerHour: used,
      neededDcuPerHour: needed,
      missingDcuPerHour: dcuFromMicro(neededMicro - ceilingMicro(ceilings)),
      neededLevel: allowing?.levelFlag ?? null,
      customPackage: allowing ? null : customFor(custom, neededCores),
    },
  });
}

function largestFit(specs: readonly Spec[], freeCores: number): Spec | undefined {
  return [...specs].sort((a, b) => b.cpuCores - a.cpuCores).find((spec) => spec.cpuCores <= freeCores);
}

/** The smallest custom package with so many cores; null where none has. */
function customFor({ cpuCores: { min, max, step } }: LimitAsk['custom'], neededCores: number): { cpuCores: number } | null {
  const cpuCores = min + Math.max(0, Math.ceil((neededCores - min) / step)) * step;
  return cpuCores <= max ? { cpuCores } : null;
}

function lowestLevelFor(cpuCores: number, rateMicroPerHour: bigint): Entitlement | undefined {
  return levels.find((level) => cpuCores <= level.cpuCores && rateMicroPerHour <= ceilingMicro(level));
}

function ceilingMicro({ dcuPerHour }: Pick<Ceilings, 'dcuPerHour'>): bigint {
  return microFromDcu(String(dcuPerHour));
}

/** Throws MEMBER_STORAGE_LIMIT where the member's homes hold as much as the package keeps, or more. */
export function requireStorage({ storageGb }: Pick<Ceilings, 'storageGb'>, usedBytes: bigint): void {
  const limitBytes = BigInt(storageGb) * GB;
  if (usedBytes < limitBytes) return;
  throw new Refusal('MEMBER_STORAGE_LIMIT', {
    params: { used: shownBytes(usedBytes), limit: shownBytes(limitBytes) },
    data: { usedBytes: Number(usedBytes), limitBytes: Number(limitBytes) },
  });
}

/** Bytes as people read them: three digits that count at most, rounded up so that no limit looks unreached. */
export function shownBytes(bytes: bigint): string {
  const unit = bytes >= GB ? { of: GB, name: 'GB' } : { of: MB, name: 'MB' };
  const tenths = (bytes * 10n + unit.of - 1n) / unit.of;
  return `${tenths / 10n}${tenths % 10n === 0n ? '' : `.${tenths % 10n}`} ${unit.name}`;
}

/** What ends a running lab first, and when. The limits of hours count observed run time, so a lost engine does not use them up. */
export function stopsNext(lab: {
  now: Date;
  observedMs: number;
  maxHours: number | null;
  extendedMs: number;
  levelMaxHours: number;
  balanceUntil: Date | null;
  idleMinutes: number | null;
  /** Null while it is in use. */
  idleMs: number | null;
}): { at: Date; cause: StopCause } {
  const { limitMs, cause } = hoursLimit(lab);
  const inMs = (ms: number) => new Date(lab.now.getTime() + Math.max(0, ms));
  const idleMs = idleStopsInMs(lab);
  const candidates: { at: Date; cause: StopCause }[] = [
    ...(lab.balanceUntil ? [{ at: lab.balanceUntil, cause: 'BALANCE' as const }] : []),
    ...(idleMs === null ? [] : [{ at: inMs(idleMs), cause: 'IDLE' as const }]),
    { at: inMs(limitMs - lab.observedMs), cause },
  ];
  return candidates.reduce((earliest, one) => (one.at < earliest.at ? one : earliest));
}
