import { extendableHours, hoursLimit, idleStopsInMs, isInUse, isWarnedOf } from './idle.rules';

const HOUR = 3_600_000;
const still = { cpuCoresUsed: 0, rxBytesPerSecond: 0, txBytesPerSecond: 0 };

describe('use of a lab', () => {
  it.each([
    ['what nobody could observe', null, true],
    ['a shell that waits', { ...still, cpuCoresUsed: 0.049 }, false],
    ['a twentieth of a core', { ...still, cpuCoresUsed: 0.05 }, true],
    ['a trickle of bytes', { ...still, rxBytesPerSecond: 4_999, txBytesPerSecond: 5_000 }, false],
    ['ten kilobytes a second both ways together', { ...still, rxBytesPerSecond: 5_000, txBytesPerSecond: 5_000 }, true],
    ['no network and no work', { cpuCoresUsed: 0, rxBytesPerSecond: null, txBytesPerSecond: null }, false],
  ])('counts %s', (_what, rates, expected) => {
    expect(isInUse(rates)).toBe(expected);
  });

  it('stops a lab after its minutes, never without a limit or before it was seen', () => {
    expect(idleStopsInMs({ idleMinutes: 30, idleMs: 20 * 60_000 })).toBe(10 * 60_000);
    expect(idleStopsInMs({ idleMinutes: 30, idleMs: 31 * 60_000 })).toBe(-60_000);
    expect(idleStopsInMs({ idleMinutes: null, idleMs: 99 * HOUR })).toBeNull();
    expect(idleStopsInMs({ idleMinutes: 30, idleMs: null })).toBeNull();
  });

  it('warns ten minutes before', () => {
    expect([600_001, 600_000, 1].map(isWarnedOf)).toEqual([false, true, true]);
  });
});

describe('the hours of a run', () => {
  const run = { maxHours: 3, extendedMs: 0, levelMaxHours: 24 };

  it.each([
    ['the member’s own', run, 3 * HOUR, 'MAX_HOURS'],
    ['with what was added', { ...run, extendedMs: 2 * HOUR }, 5 * HOUR, 'MAX_HOURS'],
    ['the member’s where both are equal', { ...run, maxHours: 24 }, 24 * HOUR, 'MAX_HOURS'],
    ['the level’s where that is less', { ...run, maxHours: 20, extendedMs: 5 * HOUR }, 24 * HOUR, 'LEVEL_MAX_HOURS'],
    ['the level’s alone', { ...run, maxHours: null, extendedMs: 5 * HOUR }, 24 * HOUR, 'LEVEL_MAX_HOURS'],
  ])('are %s', (_what, asked, limitMs, cause) => {
    expect(hoursLimit(asked)).toEqual({ limitMs, cause });
  });

  it('can be extended by whole hours within the level’s, and by none without a maximum of one’s own', () => {
    expect(extendableHours(run)).toBe(21);
    expect(extendableHours({ ...run, extendedMs: 20.5 * HOUR })).toBe(0);
    expect(extendableHours({ ...run, levelMaxHours: 2 })).toBe(0);
    expect(extendableHours({ ...run, maxHours: null })).toBe(0);
  });
});
