import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { advance } from '../../testing/testDatabase';
import { pass, startLab } from '../workshop/testbed';
import { buildMembershipWorld, type MembershipWorld } from './membershipWorld';

const DAY_MS = 86_400_000;

let test: TestApp;
let world: MembershipWorld;
beforeAll(async () => {
  test = await buildTestApp();
  world = await buildMembershipWorld(test);
});
afterAll(() => test.close());

const beStudent = ({ memberId }: TestMember) =>
  test.db.updateTable('member').set({ isStudent: true }).where('id', '=', memberId).execute();

describe('GET /gateway/packageMembership/list', () => {
  it('shows a visitor the packages by level at list price, and nothing of their own', async () => {
    const { data } = await test.as(null).send('GET /gateway/packageMembership/list');

    expect(data).toMatchObject({ isStudentPrice: false, current: null, freeCeilings: { cpuCores: 2, storageGb: 5 } });
    expect(
      data.packages.map(({ packageId, levelFlag, ownMonthFen, ownYearFen }) => [packageId, levelFlag, ownMonthFen, ownYearFen]),
    ).toEqual([
      ['standard', 1, 29_00, 290_00],
      ['pro', 2, 99_00, 990_00],
      ['max', 3, 299_00, 2990_00],
    ]);
    expect(data.packages[1]).toMatchObject({ monthlyDcu: 120, ceilings: { cpuCores: 32, runningLabs: 8, maxHours: 72 } });
    expect(data.custom).toEqual({
      cpuCores: { min: 64, max: 512, step: 16 },
      monthlyDcu: { min: 0, max: 10_000, step: 100 },
      months: { min: 1, max: 12 },
      needsRealName: true,
    });
  });

  it('shows a student their prices, and in the language asked for', async () => {
    const member = await test.buildMember();
    await beStudent(member);
    const { data } = await test.as(member).send('GET /gateway/packageMembership/list', { headers: { 'accept-language': 'zh-CN' } });

    expect(data.isStudentPrice).toBe(true);
    expect(data.packages[0]).toMatchObject({ name: '标准版', monthFen: 29_00, ownMonthFen: 19_00, ownYearFen: 190_00 });
  });

  it('shows a member what they have and what their labs and files take of it', async () => {
    const member = await test.buildMember();
    await world.gift(member.memberId, 'pro', 30);
    const { workshopId } = await startLab(test, { member, specId: 'cpu-2' });
    await test.db.updateTable('workshop').set({ diskBytes: 1_500n }).where('id', '=', workshopId).execute();
    const { data } = await test.as(member).send('GET /gateway/packageMembership/list');

    expect(data.current).toMatchObject({
      levelFlag: 2,
      packageName: 'Pro',
      ceilings: { cpuCores: 32, storageGb: 200 },
      usage: { cpuCores: 2, dcuPerHour: 1, storageBytes: 1_500, runningLabs: 1 },
    });
  });
});

describe('GET /gateway/packageMembership/custom', () => {
  const ask = (query: Record<string, number>, member: TestMember | null = null) =>
    test.as(member).send('GET /gateway/packageMembership/custom', { query });

  it('prices months × monthly DCU × cores, a year at its own price, for students less', async () => {
    const member = await test.buildMember();
    await beStudent(member);

    expect((await ask({ cpuCores: 128, monthlyDcu: 100, months: 3 })).data).toMatchObject({
      ...{ listFen: 1746_00, priceFen: 1746_00, monthFen: 582_00, monthlyDcu: 100 },
      ceilings: { cpuCores: 128, dcuPerHour: 256, storageGb: 1000, maxHours: 168 },
    });
    expect((await ask({ cpuCores: 64, monthlyDcu: 0, months: 12 })).data).toMatchObject({ listFen: 2560_00, priceFen: 2560_00 });
    expect((await ask({ cpuCores: 64, monthlyDcu: 0, months: 12 }, member)).data).toMatchObject({
      priceFen: 2048_00,
      monthFen: 204_80,
    });
  });

  it.each([
    [{ cpuCores: 65, monthlyDcu: 100, months: 1 }],
    [{ cpuCores: 528, monthlyDcu: 100, months: 1 }],
    [{ cpuCores: 64, monthlyDcu: 50, months: 1 }],
  ])('refuses what is not on offer: %j', async (query) => {
    expect((await ask(query)).envelope).toMatchObject({ success: false, code: 30007 });
  });
});

describe('POST /gateway/purchasedPackageItem/find', () => {
  const find = (member: TestMember | null, body: object = {}) =>
    test.as(member).send('POST /gateway/purchasedPackageItem/find', { body });

  it('lists what a member owns and nobody else’s, newest first, by state and page', async () => {
    const [member, other] = [await test.buildMember({ remainDcuMicro: 0n }), await test.buildMember()];
    const { orderId } = await world.buy(member.memberId, world.packageOf('standard', 2), 58_00n);
    await advance(test.db, 40 * DAY_MS);
    await world.gift(member.memberId, 'max', 7);
    const { data } = await find(member);

    expect(data).toMatchObject({
      total: 2,
      list: [
        {
          name: 'Max',
          source: 'GIFT',
          orderId: null,
          state: 'ACTIVE',
          promisedDcu: 0,
          nextGrantAt: null,
          ceilings: { cpuCores: 64 },
        },
        { name: 'Standard', source: 'ORDER', orderId, state: 'PAUSED', promisedDcu: 60, grantedDcu: 60, usedDcu: 0 },
      ],
    });
    expect((await find(member, { state: 'PAUSED' })).data).toMatchObject({ total: 1, list: [{ name: 'Standard' }] });
    expect((await find(member, { current: 2, pageSize: 1 })).data).toMatchObject({ total: 2, list: [{ name: 'Standard' }] });
    expect((await find(other)).data).toEqual({ list: [], total: 0 });
  });

  it('says of each how much of its DCU was used', async () => {
    const member = await test.buildMember({ remainDcuMicro: 0n });
    await world.buy(member.memberId, world.packageOf('standard'), 29_00n);
    const { workshopId } = await startLab(test, { member, specId: 'cpu-2' });
    await advance(test.db, 60_000);
    await test.as(member).send('POST /gateway/workshop/stop', { body: { workshopId } });
    await pass(test, 2);
    const { data } = await find(member);

    expect(data.list[0]).toMatchObject({ grantedDcu: 30, promisedDcu: 30 });
    expect(data.list[0]?.usedDcu).toBeGreaterThan(0);
  });

  it('shows one that was refunded until when it ran', async () => {
    const member = await test.buildMember({ remainDcuMicro: 0n });
    const order = await world.buy(member.memberId, world.packageOf('pro'), 99_00n);
    await world.refund(order);
    const item = (await find(member)).data.list[0];

    expect(item?.state).toBe('REFUNDED');
    expect(item && item.startsAt <= item.endsAt).toBe(true);
  });

  it('is for members', async () => {
    expect((await find(null)).envelope.code).toBe(10004);
  });
});
