import { buildTestApp, type TestApp } from '../testing/buildTestApp';
import type { TestMember } from '../testing/factories';
import { runCommand } from '../testing/runCommand';
import { setTestNow } from '../testing/testDatabase';
import { CommandRefused } from './command';
import { couponIssue } from './couponIssue';

describe('coupon issue', () => {
  let test: TestApp;
  let member: TestMember;
  beforeAll(async () => {
    test = await buildTestApp();
    await setTestNow(test.db, new Date('2026-11-20T10:00:00Z'));
  });
  beforeEach(async () => {
    member = await test.buildMember();
  });
  afterAll(() => test.close());

  const run = (options: Partial<Record<'member' | 'campaign' | 'ref' | 'reason', string>> = {}) =>
    runCommand(test, couponIssue, { member: member.username, campaign: 'care', ref: 'T-1', reason: 'the outage', ...options });
  const coupons = async () => (await test.as(member).send('GET /gateway/membership/coupons')).data.list;
  const entries = (couponId: string | undefined) =>
    test.db.selectFrom('auditEntry').selectAll().where('subject', '=', String(couponId)).execute();

  it('gives the coupon and leaves who, what and why in the audit', async () => {
    const lines = await run();

    const [coupon] = await coupons();
    expect(lines).toEqual([
      `${member.username} was given: ¥20 off from ¥20, until 2027-02-18T10:00:00.000Z, coupon ${coupon?.couponId}.`,
    ]);
    expect(coupon).toMatchObject({ kind: 'AMOUNT', amountFen: 2_000, minimumFen: 2_000 });
    expect(await entries(coupon?.couponId)).toMatchObject([
      { actorKind: 'operator', actor: 'tester', action: 'coupon issue', result: 'OK', note: 'T-1: the outage' },
    ]);
  });

  it('gives it once for a reference, however often and at once it is run', async () => {
    const runs = await Promise.all(Array.from({ length: 8 }, () => run()));

    const given = await coupons();
    expect(given).toHaveLength(1);
    expect(runs.flat().filter((line) => line.startsWith('Nothing was done: under T-1, '))).toHaveLength(7);
    expect(await entries(given[0]?.couponId)).toHaveLength(1);
  });

  it('gives another for another reference, and the same reference to another member', async () => {
    await run();
    await run({ ref: 'T-2' });
    expect(await coupons()).toHaveLength(2);

    member = await test.buildMember();
    await run();

    expect(await coupons()).toHaveLength(1);
  });

  it('refuses a reference that was used for something else', async () => {
    await run();

    await expect(run({ campaign: 'lab-dcu' })).rejects.toThrow(
      new CommandRefused(`Under T-1, ${member.username} was given care before.`),
    );
    expect(await coupons()).toHaveLength(1);
  });

  it.each([
    [{ campaign: 'nope' }, 'There is no campaign nope; catalog check lists them.'],
    [{ campaign: 'gift-7' }, 'Campaign gift-7 gives no coupon.'],
    [{ member: 'nobody-here' }, 'There is no member nobody-here.'],
  ])('refuses with one sentence: %j', async (options, sentence) => {
    await expect(run(options)).rejects.toThrow(new CommandRefused(sentence));
    expect(await coupons()).toEqual([]);
  });

  it('gives nothing where its audit entry cannot be written', async () => {
    const write = jest.spyOn(test.services.audit, 'write').mockRejectedValue(new Error('no room'));

    await expect(run()).rejects.toThrow('no room');

    write.mockRestore();
    expect(await coupons()).toEqual([]);
  });
});
