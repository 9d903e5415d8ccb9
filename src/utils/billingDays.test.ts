import {
  billingToday,
  daysBetween,
  formatDay,
  formatHours,
  formatMonth,
  formatObserved,
  formatShortMonth,
  isDay,
  lastDayOf,
  monthOf,
} from './billingDays';

describe('a day of the bill', () => {
  it('begins at four in the afternoon of Greenwich', () => {
    expect(billingToday(new Date('2026-11-20T15:59:59.999Z'))).toBe('2026-11-20');
    expect(billingToday(new Date('2026-11-20T16:00:00Z'))).toBe('2026-11-21');
  });

  it.each([
    ['2026-02-28', true],
    ['2026-02-29', false],
    ['2026-2-2', false],
    ['yesterday', false],
  ])('%s: %s', (raw, is) => {
    expect(isDay(raw)).toBe(is);
  });

  it('is counted in at both ends of a span', () => {
    expect(daysBetween('2026-02-27', '2026-03-02')).toBe(4);
  });
});

describe('a month of the bill', () => {
  it('leads over the turn of the year and ends with its last day', () => {
    expect(monthOf('2026-01-31', -1)).toBe('2025-12');
    expect(monthOf('2026-12-05', 1)).toBe('2027-01');
    expect(lastDayOf('2028-02')).toBe('2028-02-29');
  });
});

describe('days, months and times of use in words', () => {
  it.each([
    ['en-US', 'Nov 1, 2026', 'November 2026', 'Nov', '1.25 hr'],
    ['zh-CN', '2026年11月1日', '2026年11月', '11月', '1.25 小时'],
  ])('are written in %s wherever the reader is', (language, day, month, shortMonth, hours) => {
    window.localStorage.setItem('umi_locale', language);

    expect(formatDay('2026-11-01')).toBe(day);
    expect(formatMonth('2026-11')).toBe(month);
    expect(formatShortMonth('2026-11')).toBe(shortMonth);
    expect(formatHours(4_500_000)).toBe(hours);
  });

  it('tell an observed time to the millisecond', () => {
    expect(formatObserved(890_000)).toBe('0:14:50');
    expect(formatObserved(3_600_250)).toBe('1:00:00.250');
  });
});
