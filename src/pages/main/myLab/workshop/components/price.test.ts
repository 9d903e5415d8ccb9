import { heldDcuOf, whatItBuys } from './price';

const now = new Date('2026-11-20T10:00:00.000Z');

describe('what a balance buys', () => {
  it('lasts balance over rate', () => {
    const buys = whatItBuys({ remainDcu: 9.58, availableDcu: 9.58, burnDcuPerHour: 0 }, 0.5, now);

    expect(buys.runwayMs).toBe(19.16 * 3_600_000);
    expect(buys.until?.toISOString()).toBe('2026-11-21T05:09:36.000Z');
    expect(buys.afterOneHourDcu).toBeCloseTo(9.08, 9);
  });

  it('lasts shorter with what already runs', () => {
    const buys = whatItBuys({ remainDcu: 10, availableDcu: 9, burnDcuPerHour: 1.5 }, 0.5, now);

    expect(buys.runwayMs).toBe(5 * 3_600_000);
  });

  it('does not last an hour when it does not', () => {
    const buys = whatItBuys({ remainDcu: 0.4, availableDcu: 0.4, burnDcuPerHour: 0 }, 0.5, now);

    expect(buys.afterOneHourDcu).toBeNull();
    expect(buys.hasEnough).toBe(true);
  });

  it('is not enough to start below ten minutes of the rate', () => {
    expect(whatItBuys({ remainDcu: 1, availableDcu: 0.083332, burnDcuPerHour: 0 }, 0.5, now).hasEnough).toBe(false);
    expect(whatItBuys({ remainDcu: 1, availableDcu: 0.083333, burnDcuPerHour: 0 }, 0.5, now).hasEnough).toBe(true);
  });

  it('lasts for ever at a price of nothing', () => {
    const buys = whatItBuys({ remainDcu: 0, availableDcu: 0, burnDcuPerHour: 0 }, 0, now);

    expect(buys).toMatchObject({ runwayMs: null, until: null, heldDcu: 0, hasEnough: true, afterOneHourDcu: 0 });
  });
});

describe('what a start holds', () => {
  it.each([
    [0.5, 0.083333],
    [0.6, 0.1],
    [1, 0.166666],
    [0, 0],
  ])('at %d DCU an hour is ten minutes, rounded down: %d', (rate, held) => {
    expect(heldDcuOf(rate)).toBe(held);
  });
});
