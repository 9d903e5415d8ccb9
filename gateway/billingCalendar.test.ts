import fc from 'fast-check';
import { addBillingDays, addBillingMonths, billingDayOf, startOfBillingDay, startOfBillingMonth } from './billingCalendar';

describe('the billing calendar', () => {
  it.each([
    ['2026-03-01T15:59:59.999Z', '2026-03-01'],
    ['2026-03-01T16:00:00.000Z', '2026-03-02'],
    ['2026-12-31T16:00:00.000Z', '2027-01-01'],
  ])('%s is on %s', (at, day) => {
    expect(billingDayOf(new Date(at))).toBe(day);
  });

  it('begins a day at midnight of its own time zone, and a month with its first day', () => {
    expect(startOfBillingDay('2026-03-02').toISOString()).toBe('2026-03-01T16:00:00.000Z');
    expect(startOfBillingMonth(new Date('2026-02-28T16:00:00.000Z')).toISOString()).toBe('2026-02-28T16:00:00.000Z');
    expect(startOfBillingMonth(new Date('2026-02-28T15:59:59.999Z')).toISOString()).toBe('2026-01-31T16:00:00.000Z');
  });

  it.each(['2026-02-30', '2026-13-01', 'today'])('refuses %s', (day) => {
    expect(() => startOfBillingDay(day)).toThrow(RangeError);
  });

  it('counts days over the ends of months and years', () => {
    expect(addBillingDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addBillingDays('2028-03-01', -1)).toBe('2028-02-29');
  });

  it.each([
    ['2026-01-31T02:00:00.000Z', 1, '2026-02-28T02:00:00.000Z'],
    ['2026-01-31T02:00:00.000Z', 2, '2026-03-31T02:00:00.000Z'],
    ['2028-01-31T02:00:00.000Z', 1, '2028-02-29T02:00:00.000Z'],
    ['2026-12-15T20:00:00.000Z', 1, '2027-01-15T20:00:00.000Z'],
    // The last of January there, though not yet in UTC.
    ['2026-01-30T20:00:00.000Z', 1, '2026-02-27T20:00:00.000Z'],
  ])('from %s, %i months lead to %s', (from, months, to) => {
    expect(addBillingMonths(new Date(from), months).toISOString()).toBe(to);
  });

  it('never leads back: more months are later', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
        fc.nat(24),
        (from, months) => {
          expect(addBillingMonths(from, months + 1).getTime()).toBeGreaterThan(addBillingMonths(from, months).getTime());
        },
      ),
    );
  });
});
