import { formatMoment } from './formatTime';

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
