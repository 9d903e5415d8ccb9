import fc from 'fast-check';
import { quoteInstants } from './quoteInstants';

const grid = fc.record({ gridMs: fc.integer({ min: 1_000, max: 3_600_000 }), holdsMs: fc.integer({ min: 0, max: 3_600_000 }) });
const atMs = fc.integer({ min: 0, max: 4_000_000_000_000 });

describe('an instant to which a quote is counted', () => {
  it('is never past, and less than a step of the grid beyond the time it holds', () => {
    fc.assert(
      fc.property(atMs, grid, (ms, ask) => {
        for (const instant of quoteInstants(new Date(ms), ask)) expect(instant.getTime()).toBeGreaterThanOrEqual(ms);
        expect(quoteInstants(new Date(ms), ask)[0].getTime()).toBeLessThan(ms + ask.holdsMs + ask.gridMs);
      }),
    );
  });

  it('is still one of those that hold as long as a quote holds', () => {
    fc.assert(
      fc.property(atMs, grid, fc.double({ min: 0, max: 1, noNaN: true }), (ms, ask, share) => {
        fc.pre(ask.holdsMs <= ask.gridMs);
        const [seen] = quoteInstants(new Date(ms), ask);
        expect(quoteInstants(new Date(ms + Math.floor(ask.holdsMs * share)), ask)).toContainEqual(seen);
      }),
    );
  });
});
