import { accountSlowdown, addressSlowdown, delayMs } from './loginSlowdown.rules';

describe('the delay after failed sign-ins', () => {
  it('of one address begins with the fifth and doubles up to a quarter of an hour', () => {
    const delays = [1, 4, 5, 6, 7, 12, 13, 14, 1_000].map((failures) => delayMs(failures, addressSlowdown) / 1000);

    expect(delays).toEqual([0, 0, 5, 10, 20, 640, 900, 900, 900]);
  });

  it('over all addresses stays short, so that strangers cannot lock an owner out', () => {
    const delays = [1, 29, 30, 31, 34, 35, 100_000].map((failures) => delayMs(failures, accountSlowdown) / 1000);

    expect(delays).toEqual([0, 0, 1, 2, 16, 30, 30]);
  });
});
