import fc from 'fast-check';
import { runLab } from '../domains/account/labRun';
import { previewPrices } from '../domains/account/pricePreview.rules';
import { buildTestApp, type TestApp } from '../testing/buildTestApp';
import { readFingerprint } from '../testing/fingerprint';
import { runCommand } from '../testing/runCommand';
import { setTestNow } from '../testing/testDatabase';
import { CommandRefused } from './command';
import { pricePreview } from './pricePreview';

const HOUR = 3_600_000;

describe('price preview', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp();
    await setTestNow(test.db, new Date('2026-10-05T10:00:00Z'));
  });
  afterAll(() => test.close());

  const run = (options: { prices?: string; month?: string; json?: boolean } = {}) =>
    runCommand(test, pricePreview, { prices: 'cpu-1=7.2', month: '', json: false, ...options });

  it('says that nothing was used', async () => {
    expect(await run({ month: '2020-02' })).toEqual(['Nothing was used from 2020-02-01 to 2020-02-29 (UTC+8).']);
  });

  it('charges last month’s time at the new price, by spec and by whom it hits most, and changes nothing', async () => {
    const [much, little] = [await test.buildMember({ remainDcuMicro: 90_000_000n }), await test.buildMember()];
    await runLab(test, much, 2 * HOUR);
    await runLab(test, little, HOUR);
    // The first of November has begun in the billing time zone, not yet in UTC.
    await setTestNow(test.db, new Date('2026-10-31T16:00:00Z'));
    await runLab(test, little, HOUR);
    const before = await readFingerprint(test.pool);

    expect(await run()).toEqual([
      '10.8 DCU were used from 2026-10-01 to 2026-10-31 (UTC+8); at these prices it would have been 21.6 DCU (+100%). 2 of 2 members would have paid more.',
      '',
      'By spec',
      '  spec   hours  members   dcu  new dcu  change',
      '  cpu-1      3        2  10.8     21.6  +100%',
      '',
      'Members whose cost rises most',
      `  member                dcu  new dcu  change`,
      `  ${much.username}  7.2     14.4  +100%`,
      `  ${little.username}  3.6      7.2  +100%`,
    ]);
    expect(JSON.parse((await run({ prices: 'cpu-half=1', json: true })).join(''))).toMatchObject({
      ...{ from: '2026-10-01', to: '2026-10-31', dcu: 10.8, newDcu: 10.8, change: '0%', membersPayingMore: 0 },
    });
    expect(await readFingerprint(test.pool)).toEqual(before);
  });

  it.each([
    [{ prices: 'cpu-9=1' }, 'There is no spec cpu-9; catalog check lists them.'],
    [{ prices: 'cpu-1' }, 'cpu-1 is no price: it must read spec=DCU, as cpu-1=1.2.'],
    [{ prices: 'cpu-1=1,' }, 'Nothing is no price: it must read spec=DCU, as cpu-1=1.2.'],
    [{ month: '2026-13' }, '2026-13 is no month: it must read as 2026-10.'],
  ])('refuses with one sentence: %j', async (options, sentence) => {
    await expect(run(options)).rejects.toThrow(new CommandRefused(sentence));
  });

  it('never charges more than rate × time, and sums by spec and by member to the same', () => {
    const usage = fc.array(
      fc.record({
        memberId: fc.constantFrom('a', 'b', 'c'),
        username: fc.constant('x'),
        specId: fc.constantFrom('cpu-1', 'gpu-1'),
        ms: fc.bigInt({ min: 1n, max: 10_000_000_000n }),
        micro: fc.bigInt({ min: 0n, max: 10_000_000_000n }),
      }),
    );
    fc.assert(
      fc.property(usage, fc.bigInt({ min: 0n, max: 10n ** 12n }), (rows, rate) => {
        const preview = previewPrices(rows, new Map([['cpu-1', rate]]));
        const sums = (parts: readonly { newMicro: bigint }[]) => parts.reduce((sum, part) => sum + part.newMicro, 0n);
        expect([sums(preview.specs), sums(preview.members)]).toEqual([preview.newMicro, preview.newMicro]);
        const dearest = rows.reduce((sum, row) => sum + (row.specId === 'cpu-1' ? (rate * row.ms) / BigInt(HOUR) : row.micro), 0n);
        expect(preview.newMicro <= dearest).toBe(true);
      }),
    );
  });
});
