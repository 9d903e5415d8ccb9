import type { Spec } from '../../catalog/catalogue';
import { type Entitlement, entitlementOf, type LevelFlag, levels } from '../../contract/entitlements';
import { limits } from '../../contract/limits';
import { canDo, type StopCause, transitionTable, type WorkshopAction, type WorkshopState } from '../../contract/workshopStates';
import { dcuFromMicro, microFromDcu } from '../../dcu';
import type { Language } from '../../locales/messages';
import { sentencesOf, wordOf } from '../../locales/workshopWords';
import { invalidField, Refusal } from '../../refusal';

export const HOUR_MS = 3_600_000;

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

/** True where the level's ceilings allow this spec alone. */
export function isAllowedAt(levelFlag: LevelFlag, spec: Spec): boolean {
  const level = entitlementOf(levelFlag);
  return spec.cpuCores <= level.cpuCores && spec.rateMicroPerHour <= ceilingMicro(level);
}

/**
 * The member's ceilings over every open lab plus the one to start, asked under the wallet lock. Throws, in this order,
 * MEMBER_RUNNING_LABS_LIMIT, MEMBER_MAX_LEVEL_CPU_LIMIT or MEMBER_NOT_MAX_LEVEL_CPU_LIMIT, MEMBER_DCU_LIMIT (RATE_CEILING).
 */
export function requireWithinLevel(ask: {
  levelFlag: LevelFlag;
  open: readonly OpenLab[];
  spec: Spec;
  specs: readonly Spec[];
  language: Language;
}): void {
  const level = entitlementOf(ask.levelFlag);
  if (ask.open.length >= level.runningLabs) {
    throw new Refusal('MEMBER_RUNNING_LABS_LIMIT', {
      params: { limit: level.runningLabs },
      data: { limit: level.runningLabs, running: ask.open.length },
    });
  }
  const usedCores = ask.open.reduce((sum, lab) => sum + lab.cpuCores, 0);
  if (usedCores + ask.spec.cpuCores > level.cpuCores) throw cpuRefusal(ask, level, usedCores);
  const usedMicro = ask.open.reduce((sum, lab) => sum + lab.rateMicroPerHour, 0n);
  if (usedMicro + ask.spec.rateMicroPerHour > ceilingMicro(level)) throw rateRefusal(ask.spec, level, usedMicro);
}

function cpuRefusal(ask: Parameters<typeof requireWithinLevel>[0], level: Entitlement, usedCores: number): Refusal {
  const highest = levels[levels.length - 1] ?? level;
  const allowing = levels.find((one) => one.levelFlag > level.levelFlag && usedCores + ask.spec.cpuCores <= one.cpuCores);
  const shared = { usedCpuCores: usedCores, neededCpuCores: ask.spec.cpuCores };
  // No level can be recommended where even the highest would refuse, so that answer is the highest level's own.
  if (allowing) {
    return new Refusal('MEMBER_NOT_MAX_LEVEL_CPU_LIMIT', {
      params: { limit: level.cpuCores, level: allowing.levelFlag },
      data: { ...shared, limitCpuCores: level.cpuCores, neededLevel: allowing.levelFlag },
    });
  }
  const fits = largestFit(ask.specs, level.cpuCores - usedCores);
  return new Refusal('MEMBER_MAX_LEVEL_CPU_LIMIT', {
    params: { limit: highest.cpuCores, fits: fits ? fits.name[ask.language] : wordOf('noneFits', ask.language) },
    data: {
      ...shared,
      limitCpuCores: level.cpuCores,
      largestFit: fits ? { specId: fits.specId, name: fits.name[ask.language], cpuCores: fits.cpuCores } : null,
    },
  });
}

function rateRefusal(spec: Spec, level: Entitlement, usedMicro: bigint): Refusal {
  const used = dcuFromMicro(usedMicro);
  const needed = dcuFromMicro(spec.rateMicroPerHour);
  const missing = dcuFromMicro(usedMicro + spec.rateMicroPerHour - ceilingMicro(level));
  return new Refusal('MEMBER_DCU_LIMIT', {
    sentences: sentencesOf('rateCeiling', { limit: level.dcuPerHour, used, needed }),
    data: {
      cause: 'RATE_CEILING',
      limitDcuPerHour: level.dcuPerHour,
      usedDcuPerHour: used,
      neededDcuPerHour: needed,
      missingDcuPerHour: missing,
    },
  });
}

function largestFit(specs: readonly Spec[], freeCores: number): Spec | undefined {
  return [...specs].sort((a, b) => b.cpuCores - a.cpuCores).find((spec) => spec.cpuCores <= freeCores);
}

function lowestLevelFor(cpuCores: number, rateMicroPerHour: bigint): Entitlement | undefined {
  return levels.find((level) => cpuCores <= level.cpuCores && rateMicroPerHour <= ceilingMicro(level));
}

function ceilingMicro(level: Entitlement): bigint {
  return microFromDcu(String(level.dcuPerHour));
}

/** What ends a running lab first, and when. The limits count observed run time, so a lost engine does not use them up. */
export function stopsNext(lab: {
  now: Date;
  observedMs: number;
  maxHours: number | null;
  levelMaxHours: number;
  balanceUntil: Date | null;
}): { at: Date; cause: StopCause } {
  const afterHours = (hours: number) => new Date(lab.now.getTime() + Math.max(0, hours * HOUR_MS - lab.observedMs));
  const candidates: { at: Date; cause: StopCause }[] = [{ at: afterHours(lab.levelMaxHours), cause: 'LEVEL_MAX_HOURS' }];
  if (lab.maxHours !== null) candidates.unshift({ at: afterHours(lab.maxHours), cause: 'MAX_HOURS' });
  if (lab.balanceUntil) candidates.unshift({ at: lab.balanceUntil, cause: 'BALANCE' });
  return candidates.reduce((earliest, one) => (one.at < earliest.at ? one : earliest));
}
