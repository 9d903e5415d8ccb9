import { buildTestApp, type TestApp } from './buildTestApp';

describe('a test app', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp();
  });
  afterAll(() => test.close());

  it('makes members whose balance is booked', async () => {
    const { memberId } = await test.buildMember({ levelFlag: 2, remainDcuMicro: 5_000_000n });

    const wallet = await test.db.selectFrom('wallet').select('posted').where('memberId', '=', memberId).executeTakeFirstOrThrow();

    expect(wallet.posted).toBe(5_000_000n);
  });

  it('makes workshops', async () => {
    const { memberId } = await test.buildMember();

    const { workshopId } = await test.buildWorkshop({ memberId, name: 'First' });

    const row = await test.db
      .selectFrom('workshop')
      .select(['name', 'state'])
      .where('id', '=', workshopId)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ name: 'First', state: 'STOPPED' });
  });
});
