import { canShowDays, daysOf, spanWith, stepOf } from './billSpan';

const today = '2026-03-14';

describe('the days of a bill', () => {
  it.each([
    [{}, '2026-03-01', '2026-03-14'],
    [{ span: 'lastMonth' as const }, '2026-02-01', '2026-02-28'],
    [{ span: '30days' as const }, '2026-02-13', '2026-03-14'],
    [{ span: 'custom' as const, from: '2025-12-24', to: '2026-01-06' }, '2025-12-24', '2026-01-06'],
    [{ span: 'custom' as const }, '2026-03-01', '2026-03-14'],
    [{ span: 'custom' as const, from: '2026-04-01', to: '2026-03-01' }, '2026-03-01', '2026-03-01'],
    [{ span: 'custom' as const, from: '2020-01-01', to: '2026-03-14' }, '2025-03-14', '2026-03-14'],
  ])('of %j are %s to %s', (filters, from, to) => {
    expect(daysOf(filters, today)).toEqual({ from, to });
  });

  it('follow the end that was picked', () => {
    const days = { from: '2026-03-01', to: '2026-03-14' };

    expect(spanWith(days, { from: '2026-03-20' })).toEqual({ from: '2026-03-20', to: '2026-03-20' });
    expect(spanWith(days, { to: '2026-02-10' })).toEqual({ from: '2026-02-10', to: '2026-02-10' });
    expect(spanWith(days, { from: '2024-01-01' })).toEqual({ from: '2024-01-01', to: '2024-12-31' });
    expect(spanWith(days, { to: '2027-12-31' })).toEqual({ from: '2026-12-31', to: '2027-12-31' });
  });
});

describe('the bars of a bill', () => {
  it('are days while they can be told apart and months beyond', () => {
    const quarter = { from: '2026-01-01', to: '2026-03-31' };

    expect(stepOf({ from: '2026-03-01', to: '2026-03-14' }, undefined)).toBe('day');
    expect(stepOf(quarter, undefined)).toBe('month');
    expect(stepOf(quarter, 'day')).toBe('day');
    expect(canShowDays({ from: '2026-01-01', to: '2026-12-31' })).toBe(false);
    expect(stepOf({ from: '2026-01-01', to: '2026-12-31' }, 'day')).toBe('month');
  });
});
