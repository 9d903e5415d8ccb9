import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { advance, setTestNow } from '../../testing/testDatabase';
import { pass, startLab } from './testbed';
import { ratesBetween } from './workshopMetrics.service';

describe('what a workshop uses', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await buildTestApp();
    await setTestNow(test.db, new Date('2026-05-20T10:00:00Z'));
  });
  afterEach(() => test.close());

  const statistics = async (member: TestMember, query: Record<string, string>) =>
    (await test.as(member).send('GET /gateway/workshop/metricsStatistics', { query })).data;

  async function sampleFor(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 5) {
      await advance(test.db, 5_000);
      await pass(test);
      await test.services.workshopMetrics.sample();
    }
  }

  it('is a series of equal columns with nulls where nothing was seen', async () => {
    const { member, workshopId } = await startLab(test);
    await test.services.workshopMetrics.sample();
    await sampleFor(30);
    test.engine.simulate.setReachable(false);
    await sampleFor(10);
    test.engine.simulate.setReachable(true);
    await sampleFor(15);

    const { series, cpuCores, memoryLimitBytes, summary } = await statistics(member, { workshopId, range: '15m' });

    expect({ cpuCores, memoryLimitBytes }).toEqual({ cpuCores: 1, memoryLimitBytes: 2 * 1024 ** 3 });
    expect(series.at).toHaveLength(180);
    for (const column of [series.cpuPercent, series.memoryBytes, series.diskBytes, series.costDcu])
      expect(column).toHaveLength(180);
    const tail = series.cpuPercent
      .slice(-12)
      .map((percent) => (percent === null ? '-' : 'x'))
      .join('');
    // 55 s of half a DCU an hour.
    // Six looks, a gap of two and the first look after it, which has no earlier one to make a rate from, two more.
    expect(tail).toBe('-xxxxxx---xx');
    expect(series.at.at(-1)).toBe('2026-05-20T10:00:55.000Z');
    // 55 s of half a DCU an hour, floored.
    expect(series.costDcu.at(-1)).toBe(0.007638);
    expect(summary).toMatchObject({ running: 1, stopped: 0 });
  });

  it('shows the last minutes in the list as a trend', async () => {
    const { member } = await startLab(test);
    await test.services.workshopMetrics.sample();
    await sampleFor(20);

    const { list } = (await test.as(member).send('GET /gateway/workshop/page')).data;

    expect(list[0]?.cpuTrend).toHaveLength(4);
  });

  it.each(['15m', '1h', '6h', '24h', '7d'])('has at most 240 points over %s', async (range) => {
    const { member, workshopId } = await startLab(test);

    const { series } = await statistics(member, { workshopId, range });

    expect(series.at.length).toBeLessThanOrEqual(240);
    const [first = '', last = ''] = [series.at[0], series.at.at(-1)];
    const hours = (Date.parse(last) - Date.parse(first)) / 3_600_000;
    expect(hours).toBeCloseTo({ '15m': 0.25, '1h': 1, '6h': 6, '24h': 24, '7d': 168 }[range] ?? 0, range === '7d' ? -1 : 0);
  });

  it('adds up a member’s month: what is charged and what still runs', async () => {
    const { member, workshopId } = await startLab(test);
    await advance(test.db, 6 * 60_000);
    await pass(test);
    await test.as(member).send('POST /gateway/workshop/stop', { body: { workshopId } });
    await pass(test, 2);
    await startLab(test, { member });
    await advance(test.db, 6 * 60_000);
    await pass(test);

    const { series, summary } = await statistics(member, {});

    expect(series.at).toEqual([]);
    expect(summary).toEqual({ running: 1, stopped: 1, hoursThisMonth: 0.2, dcuThisMonth: 0.1 });
  });

  it('makes no rate of one look, of a restarted counter or of no time', () => {
    const sample = (sampledAtMs: number, cpuMsTotal: number, rxBytes: number | null = null) => ({
      ...{ ref: 'r', sampledAtMs, cpuMsTotal, memoryBytes: 0, diskBytes: 0, processes: 1, rxBytes, txBytes: null },
    });

    expect(ratesBetween(undefined, sample(0, 0))).toBeNull();
    expect(ratesBetween(sample(0, 500), sample(1_000, 100))).toBeNull();
    expect(ratesBetween(sample(0, 0), sample(0, 0))).toBeNull();
    expect(ratesBetween(sample(0, 0, 1_000), sample(5_000, 5_000, 51_000))).toEqual({
      ...{ cpuCoresUsed: 1, rxBytesPerSecond: 10_000, txBytesPerSecond: null },
    });
    expect(ratesBetween(sample(0, 0, 1_000), sample(5_000, 0, 10))).toMatchObject({ rxBytesPerSecond: null });
  });
});
