import { missingFor } from '../../contract/entitlements';
import type { RunSetup } from '../../db/schemaLab';
import type { EngineCapabilities } from '../../drivers/compute/computeEngine';
import { invalidFields, Refusal } from '../../refusal';

/** Names the lab itself sets, or by which a program is made to load something else. */
const RESERVED = /^(LD_.*|ATELIER_.*|PATH|HOME|USER|LOGNAME|SHELL|LANG|TERM|COLORTERM|PS1|ENV|BASH_ENV)$/;

/** Throws INVALID_INPUT naming each variable that is not the member's to set. */
export function requireOwnNames(env: Readonly<Record<string, string>> | undefined): void {
  const reserved = Object.keys(env ?? {}).filter((name) => RESERVED.test(name));
  if (reserved.length > 0) throw invalidFields(reserved.map((name) => ({ field: `body.env.${name}`, word: 'reserved' })));
}

/** Throws REAL_NAME_REQUIRED (LAB_NETWORK): who reaches the internet from our machines must be known. */
export function requireMayUseNetwork(proofs: { isStudent: boolean; isRealName: boolean }): void {
  if (missingFor('useLabNetwork', { ...proofs, levelFlag: 0 })) {
    throw new Refusal('REAL_NAME_REQUIRED', { data: { cause: 'LAB_NETWORK' } });
  }
}

/** Throws ENGINE_NO_NETWORK where the engine cannot keep labs to public addresses. */
export function requireEngineNetwork({ network }: Pick<EngineCapabilities, 'network'>): void {
  if (network !== 'egress') throw new Refusal('ENGINE_NO_NETWORK');
}

/** A run's settings with nothing left out: runs from before there were some had none of them. */
export function wholeSetup({ maxHours = null, idleMinutes = null, env = {}, network = 'none' }: RunSetup): Required<RunSetup> {
  return { maxHours, idleMinutes, env, network };
}

/** `<name> 2`, or the next number no workshop of the member has, cut to what a name may have; case does not count. */
export function nameOfCopy(name: string, taken: readonly string[], maxLength: number): string {
  const lower = new Set(taken.map((one) => one.toLowerCase()));
  for (let number = 2; ; number += 1) {
    const ending = ` ${number}`;
    const copy = `${[...name]
      .slice(0, maxLength - ending.length)
      .join('')
      .trimEnd()}${ending}`;
    if (!lower.has(copy.toLowerCase())) return copy;
  }
}
