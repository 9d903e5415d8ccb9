import { loadCatalogue, type Spec } from '../../catalog/catalogue';
import { entitlementOf, type LevelFlag } from '../../contract/entitlements';
import { actionTable, transitionTable, workshopActions, workshopStates } from '../../contract/workshopStates';
import { Refusal } from '../../refusal';
import {
  type Ceilings,
  canMove,
  HOUR_MS,
  isAllowedBy,
  minimumLevelOf,
  requireAction,
  requireStorage,
  requireWithinLevel,
  stopsNext,
  storedName,
} from './workshop.rules';

const { specs, specOf, sale } = loadCatalogue();
const { custom } = sale;
const labOf = (specId: string) => ({ cpuCores: specOf(specId).cpuCores, rateMicroPerHour: specOf(specId).rateMicroPerHour });

function refusalOf(act: () => void): Refusal | null {
  try {
    act();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function start(levelFlag: LevelFlag, open: string[], specId: string): Refusal | null {
  return startWithin(levelFlag, entitlementOf(levelFlag), open, specOf(specId));
}

function startWithin(levelFlag: LevelFlag, ceilings: Ceilings, open: string[], spec: Spec): Refusal | null {
  return refusalOf(() =>
    requireWithinLevel({ levelFlag, ceilings, open: open.map(labOf), spec, specs, custom, language: 'en-US' }),
  );
}

describe('workshop state', () => {
  const pairs = workshopStates.flatMap((from) => workshopStates.map((to) => [from, to] as const));
  it.each(pairs)('%s → %s is allowed only if the table says so', (from, to) => {
    expect(canMove(from, to)).toBe(transitionTable[from].includes(to));
  });

  const asked = workshopStates.flatMap((state) => workshopActions.map((action) => [state, action] as const));
  it.each(asked)('in %s, %s is refused unless the action table offers it', (state, action) => {
    const refusal = refusalOf(() => requireAction(state, action));

    expect(refusal?.error ?? 'allowed').toBe(actionTable[state].includes(action) ? 'allowed' : 'WORKSHOP_STATE_CONFLICT');
  });

  it('can always be left for STOPPED or DELETED, so that nobody is stuck', () => {
    for (const state of workshopStates.filter((one) => one !== 'STOPPED' && one !== 'DELETED')) {
      expect(transitionTable[state].some((to) => to === 'STOPPED' || to === 'DELETED')).toBe(true);
    }
  });
});

describe('limits of a level', () => {
  it.each<[LevelFlag, string[], string, string | null]>([
    [0, [], 'cpu-2', null],
    [0, [], 'cpu-4', 'MEMBER_NOT_MAX_LEVEL_CPU_LIMIT'],
    [0, ['cpu-1'], 'cpu-1', 'MEMBER_RUNNING_LABS_LIMIT'],
    [1, ['cpu-4'], 'cpu-4', null],
    [1, ['cpu-4', 'cpu-2'], 'cpu-4', 'MEMBER_NOT_MAX_LEVEL_CPU_LIMIT'],
    [3, ['cpu-32'], 'cpu-32', null],
    [3, ['cpu-32', 'cpu-16'], 'cpu-32', 'MEMBER_MAX_LEVEL_CPU_LIMIT'],
    [2, ['cpu-16'], 'cpu-64', 'MEMBER_MAX_LEVEL_CPU_LIMIT'],
  ])('at level %i with %j running, starting %s answers %s', (levelFlag, open, specId, error) => {
    expect(start(levelFlag, open, specId)?.error ?? null).toBe(error);
  });

  it('names the level that allows the sum', () => {
    expect(start(0, [], 'cpu-16')?.options).toMatchObject({
      params: { limit: 2, level: 2 },
      data: { limitCpuCores: 2, neededCpuCores: 16, neededLevel: 2 },
    });
  });

  it('names the largest spec that still fits at the highest level', () => {
    expect(start(3, ['cpu-32', 'cpu-16'], 'cpu-32')?.options).toMatchObject({
      params: { limit: 64, fits: '16 cores · 32 GB' },
      data: { usedCpuCores: 48, largestFit: { specId: 'cpu-16' }, customPackage: { cpuCores: 80 } },
    });
    expect(start(3, ['cpu-64'], 'cpu-1')?.options.data).toMatchObject({ largestFit: null });
  });

  it('measures a custom package by its own ceilings, and names the custom package that is large enough', () => {
    const own = { ...entitlementOf(3), cpuCores: 128, dcuPerHour: 256 };
    expect(startWithin(3, own, ['cpu-64'], specOf('cpu-64'))).toBeNull();
    expect(startWithin(3, own, ['cpu-64', 'cpu-32'], specOf('cpu-64'))?.options).toMatchObject({
      params: { limit: 128, fits: '32 cores · 64 GB', wayOut: ' A custom package of 160 cores allows this.' },
      data: { limitCpuCores: 128, customPackage: { cpuCores: 160 } },
    });
    const [most] = [{ ...entitlementOf(3), cpuCores: 512, dcuPerHour: 1024 }];
    expect(startWithin(3, most, Array<string>(8).fill('cpu-64'), specOf('cpu-half'))?.options).toMatchObject({
      params: { wayOut: '' },
      data: { largestFit: null, customPackage: null },
    });
    const dear = { ...specOf('cpu-half'), rateMicroPerHour: 300_000_000n };
    expect(startWithin(3, own, [], dear)?.options.data).toMatchObject({ neededLevel: null, customPackage: { cpuCores: 160 } });
  });

  it.each([
    [0n, null],
    [5_368_709_119n, null],
    [5_368_709_120n, { used: '5 GB', limit: '5 GB' }],
    [5_368_709_121n, { used: '5.1 GB', limit: '5 GB' }],
  ])('keeps what the level keeps and no more: %d bytes', (used, params) => {
    expect(refusalOf(() => requireStorage({ storageGb: 5 }, used))?.options.params ?? null).toEqual(params);
  });

  it('refuses beyond the DCU per hour of the level and says by how much', () => {
    const dear = { ...specOf('cpu-half'), rateMicroPerHour: 9_600_000n };
    const refusal = startWithin(1, entitlementOf(1), ['cpu-half', 'cpu-half'], dear);

    expect(refusal?.error).toBe('MEMBER_DCU_LIMIT');
    expect(refusal?.options.data).toEqual({
      cause: 'RATE_CEILING',
      limitDcuPerHour: 10,
      usedDcuPerHour: 0.5,
      neededDcuPerHour: 9.6,
      missingDcuPerHour: 0.1,
      neededLevel: 2,
      customPackage: null,
    });
    expect(refusal?.options.sentences?.['en-US']).toContain('10 DCU per hour');
  });

  it('sells every spec at its minimum level and not below', () => {
    for (const spec of specs) {
      const lowest = minimumLevelOf(spec);
      const allowed = ([0, 1, 2, 3] as const).filter((level) => isAllowedBy(entitlementOf(level), spec));
      expect(allowed).toEqual(([0, 1, 2, 3] as const).filter((level) => level >= lowest));
    }
  });
});

describe('workshop name', () => {
  it('is stored composed and trimmed', () => {
    expect(storedName('  Cafe\u0301 ')).toBe('Café');
  });

  it('counts characters, not code units', () => {
    expect(storedName('𝒳'.repeat(40))).toHaveLength(80);
    expect(() => storedName('x'.repeat(41))).toThrow(Refusal);
    // Composition exclusions grow under NFC: forty of these become eighty characters.
    expect(() => storedName('\u0958'.repeat(40))).toThrow(Refusal);
  });
});

describe('what stops a lab next', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  const limits = { maxHours: 3, extendedMs: 0, levelMaxHours: 4, balanceUntil: null, idleMinutes: 30, idleMs: null };
  const base = { now, observedMs: HOUR_MS, ...limits };

  it.each([
    ['the member’s maximum', base, 'MAX_HOURS', '2026-01-01T02:00:00.000Z'],
    ['the level’s maximum', { ...base, maxHours: 24 }, 'LEVEL_MAX_HOURS', '2026-01-01T03:00:00.000Z'],
    ['the level’s maximum alone', { ...base, maxHours: null }, 'LEVEL_MAX_HOURS', '2026-01-01T03:00:00.000Z'],
    ['the balance', { ...base, balanceUntil: new Date('2026-01-01T00:20:00Z') }, 'BALANCE', '2026-01-01T00:20:00.000Z'],
    ['the maximum with what was added to it', { ...base, extendedMs: 0.5 * HOUR_MS }, 'MAX_HOURS', '2026-01-01T02:30:00.000Z'],
    ['never later than the level’s', { ...base, extendedMs: 9 * HOUR_MS }, 'LEVEL_MAX_HOURS', '2026-01-01T03:00:00.000Z'],
    ['its idleness, once it is idle', { ...base, idleMs: HOUR_MS / 3 }, 'IDLE', '2026-01-01T00:10:00.000Z'],
    [
      'not its idleness where nobody set a limit',
      { ...base, idleMinutes: null, idleMs: 1 },
      'MAX_HOURS',
      '2026-01-01T02:00:00.000Z',
    ],
    ['a maximum already reached', { ...base, observedMs: 9 * HOUR_MS }, 'MAX_HOURS', '2026-01-01T00:00:00.000Z'],
  ])('is %s', (_what, lab, cause, at) => {
    expect(stopsNext(lab)).toEqual({ cause, at: new Date(at) });
  });
});
