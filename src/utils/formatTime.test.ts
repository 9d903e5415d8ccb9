import { formatDuration, formatMoment } from './formatTime';

describe('formatMoment', () => {
  const now = new Date(2026, 10, 21, 12, 0);

  it.each([
    [new Date(2026, 10, 21, 21, 40), '21:40'],
    [new Date(2026, 10, 24, 21, 40), 'Tue 21:40'],
    [new Date(2026, 11, 3, 8, 5), 'Dec 3, 08:05'],
    [new Date(2027, 0, 3, 8, 5), 'Jan 3, 2027, 08:05'],
  ])('writes %s as %s', (instant, words) => {
    expect(formatMoment(instant.toISOString(), now)).toBe(words);
  });
});

describe('formatDuration', () => {
  it.each([
    ['en-US', 0, '0 sec'],
    ['en-US', 12_000_000, '3 hr 20 min'],
    ['zh-CN', 0, '0 秒'],
    ['zh-CN', 12_000_000, '3 小时 20 分钟'],
  ])('writes in %s %d ms as %s', (language, ms, words) => {
    window.localStorage.setItem('umi_locale', language);

    expect(formatDuration(ms)).toBe(words);
  });
});
