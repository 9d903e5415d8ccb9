import { buildTestApp, type TestApp } from '../../testing/buildTestApp';

const PICK = 'GET /gateway/product/pick';

describe('what is on sale', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp();
  });
  afterAll(() => test.close());

  it('is shown to a visitor at the list’s prices', async () => {
    const { data } = await test.as(null).send(PICK);

    expect(data).toMatchObject({ priceVersion: 1, isStudentPrice: false });
    expect(data.skus.map(({ skuId, listFen, priceFen, studentFen }) => [skuId, listFen, priceFen, studentFen])).toEqual([
      ['starter', 1_500, 1_500, null],
      ['dcu-10', 1_000, 1_000, 800],
      ['dcu-50', 5_000, 5_000, 4_000],
      ['dcu-100', 10_000, 10_000, 8_000],
      ['dcu-500', 50_000, 50_000, 40_000],
      ['dcu-1000', 100_000, 100_000, 80_000],
    ]);
    expect(data.skus[3]).toMatchObject({ name: '100 DCU', dcu: 100, bonusDcu: 5, validDays: 365, maxQuantity: 20, left: null });
  });

  it('has the student’s price for a student, and for nobody else', async () => {
    const [student, other] = [await test.buildMember(), await test.buildMember()];
    await test.db.updateTable('member').set({ isStudent: true }).where('id', '=', student.memberId).execute();

    const { data } = await test.as(student).send(PICK);

    expect(data.isStudentPrice).toBe(true);
    expect(data.skus.map(({ priceFen }) => priceFen)).toEqual([1_500, 800, 4_000, 8_000, 40_000, 80_000]);
    expect((await test.as(other).send(PICK)).data.skus[1]).toMatchObject({ priceFen: 1_000 });
  });

  it('says how much is left of a limited offer', async () => {
    const left = async () => (await test.as(null).send(PICK)).data.skus[0]?.left;
    expect(await left()).toBe(500);

    await test.db.updateTable('skuStock').set({ reserved: 2, sold: 490 }).where('skuId', '=', 'starter').execute();

    expect(await left()).toBe(8);
  });

  it('is worded in the language asked for', async () => {
    const { data } = await test.as(null).send(PICK, { headers: { 'accept-language': 'zh-CN' } });

    expect(data.skus[0]).toMatchObject({ name: '新手包 · 30 DCU' });
  });
});

describe('the counters of limited offers and codes', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await buildTestApp();
  });
  afterEach(() => test.close());

  const stock = () => test.db.selectFrom('skuStock').selectAll().where('skuId', '=', 'starter').executeTakeFirstOrThrow();
  const campaign = () =>
    test.db.selectFrom('campaignTotal').selectAll().where('campaignId', '=', 'learn-20').executeTakeFirstOrThrow();

  it('are there once a gateway has started, and stay as they are at the next start', async () => {
    expect(await stock()).toEqual({ skuId: 'starter', initial: 500, reserved: 0, sold: 0 });
    expect(await campaign()).toEqual({ campaignId: 'learn-20', redeemed: 0, most: 1_000 });
    await test.db.updateTable('skuStock').set({ reserved: 3, sold: 4 }).execute();
    await test.db.updateTable('campaignTotal').set({ redeemed: 7 }).where('campaignId', '=', 'learn-20').execute();

    await test.services.products.prepareCounters();

    expect(await stock()).toMatchObject({ initial: 500, reserved: 3, sold: 4 });
    expect(await campaign()).toMatchObject({ redeemed: 7, most: 1_000 });
  });

  it('follow the catalogue, but never below what is gone', async () => {
    await test.db.updateTable('skuStock').set({ initial: 600, reserved: 20, sold: 500 }).execute();
    await test.db.updateTable('campaignTotal').set({ redeemed: 1_200, most: null }).where('campaignId', '=', 'learn-20').execute();

    await test.services.products.prepareCounters();

    expect(await stock()).toMatchObject({ initial: 520, reserved: 20, sold: 500 });
    expect(await campaign()).toMatchObject({ redeemed: 1_200, most: 1_200 });
  });

  it('are made by gateways that start together', async () => {
    await test.db.deleteFrom('skuStock').execute();

    await Promise.all(Array.from({ length: 5 }, () => test.services.products.prepareCounters()));

    expect(await stock()).toMatchObject({ initial: 500 });
  });
});
