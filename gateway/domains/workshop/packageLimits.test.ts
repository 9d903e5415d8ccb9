import { sql } from 'kysely';
import { inTransaction } from '../../db/client';
import { writeAppliedPayment } from '../../testing/appliedPayment';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { advance } from '../../testing/testDatabase';
import { buildMembershipWorld, type MembershipWorld } from '../membership/membershipWorld';
import { brokenInvariants, getView, pass, startLab } from './testbed';

const GB = 1_073_741_824n;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTES_MS = 5 * 60_000;
const DCU = 1_000_000n;

let test: TestApp;
let world: MembershipWorld;
beforeAll(async () => {
  test = await buildTestApp();
  world = await buildMembershipWorld(test);
});
afterAll(async () => {
  expect(await brokenInvariants(test)).toEqual([]);
  await test.close();
});

async function start(member: TestMember, specId: string) {
  const { workshopId } = await test.buildWorkshop({ memberId: member.memberId, specId });
  return test.as(member).send('POST /gateway/workshop/start', { body: { workshopId } });
}

const create = (member: TestMember, name: string, startNow = false) =>
  test.as(member).send('POST /gateway/workshop/create', { body: { name, specId: 'cpu-half', imageId: 'shell', startNow } });

/** Resolves once a statement of this database waits for a lock. */
async function untilSomebodyWaits(): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ n: bigint }>`
      select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(test.db);
    if ((rows[0]?.n ?? 0n) > 0n) return;
  }
}

describe('what a package permits', () => {
  it('a spec is refused before it is paid for and starts after: 25106 names the level', async () => {
    const member = await test.buildMember({ remainDcuMicro: 1000n * DCU });
    const before = await start(member, 'cpu-16');
    expect(before).toFailWith('MEMBER_NOT_MAX_LEVEL_CPU_LIMIT');
    expect(before.envelope.data).toMatchObject({ limitCpuCores: 2, neededLevel: 2 });

    await world.buy(member.memberId, world.packageOf('pro'), 99_00n);
    expect((await start(member, 'cpu-16')).data.state).toBe('QUEUED');
  });

  it('a custom package has ceilings of its own; beyond them 25100 names what fits and the larger custom package', async () => {
    const member = await test.buildMember({ remainDcuMicro: 5000n * DCU, levelFlag: 3 });
    expect((await start(member, 'cpu-64')).envelope.success).toBe(true);
    const atMax = await start(member, 'cpu-64');
    expect(atMax).toFailWith('MEMBER_MAX_LEVEL_CPU_LIMIT');
    expect(atMax.envelope.data).toMatchObject({ limitCpuCores: 64, largestFit: null, customPackage: { cpuCores: 128 } });
    expect(atMax.envelope.msg).toContain('A custom package of 128 cores allows this.');

    await world.buy(member.memberId, world.customPackage({ cpuCores: 144, monthlyDcu: 0 }), 576_00n);
    expect((await start(member, 'cpu-64')).envelope.success).toBe(true);
    const beyond = await start(member, 'cpu-32');
    expect(beyond).toFailWith('MEMBER_MAX_LEVEL_CPU_LIMIT');
    expect(beyond.envelope.data).toMatchObject({
      ...{ usedCpuCores: 128, neededCpuCores: 32, limitCpuCores: 144 },
      ...{ largestFit: { specId: 'cpu-16' }, customPackage: { cpuCores: 160 } },
    });
    const { data } = await test.as(member).send('GET /gateway/workshop/cpuSpec');
    expect(data.list.every((spec) => spec.isAllowed)).toBe(true);
  });

  it('is read under the wallet’s lock: a start that waits for a package to begin is measured by it', async () => {
    const member = await test.buildMember({ remainDcuMicro: 1000n * DCU });
    const order = await world.place(member.memberId, world.packageOf('pro'), 99_00n);
    const waiting = await inTransaction(test.db, async (tx) => {
      await world.ledger.lockWallet(tx, member.memberId);
      const reply = start(member, 'cpu-16');
      await untilSomebodyWaits();
      await writeAppliedPayment(tx, order.orderId);
      await tx
        .updateTable('order')
        .set({ state: 'FULFILLED', fulfilledAt: sql`app_now()` })
        .where('id', '=', order.orderId)
        .execute();
      await world.membership.begin(tx, order);
      return { reply };
    });

    expect((await waiting.reply).envelope).toMatchObject({ success: true });
  });

  it('that ends while labs run lets them run on to the hours of the level that is left, and refuses new starts', async () => {
    const member = await test.buildMember({ remainDcuMicro: 1000n * DCU });
    await world.gift(member.memberId, 'standard', 1);
    await advance(test.db, DAY_MS - MINUTES_MS);
    const labs = [await startLab(test, { member, specId: 'cpu-2' }), await startLab(test, { member, specId: 'cpu-2' })];
    await advance(test.db, MINUTES_MS);
    await pass(test, 2);

    for (const { workshopId } of labs) expect((await getView(test, member, workshopId)).state).toBe('RUNNING');
    expect(await start(member, 'cpu-half')).toFailWith('MEMBER_RUNNING_LABS_LIMIT');
    const view = await getView(test, member, labs[0]?.workshopId ?? '');
    expect(view.session).toMatchObject({ stopsCause: 'LEVEL_MAX_HOURS' });
    expect(Date.parse(view.session?.stopsAt ?? '')).toBeLessThanOrEqual((await advance(test.db, 0)).getTime() + 4 * HOUR_MS);
    for (const { workshopId } of labs) await test.as(member).send('POST /gateway/workshop/stop', { body: { workshopId } });
    await pass(test, 2);
  });
});

describe('what a package keeps', () => {
  const holds = (memberId: string, diskBytes: bigint) =>
    test.db.updateTable('workshop').set({ diskBytes }).where('memberId', '=', memberId).execute();

  it('refuses to create while the homes hold as much, in readable units, until files or workshops go or the level rises', async () => {
    const member = await test.buildMember({ remainDcuMicro: 1000n * DCU });
    const first = await create(member, 'First');
    await holds(member.memberId, 5n * GB + 1n);
    for (const reply of [await create(member, 'Second'), await create(member, 'Third', true)]) {
      expect(reply).toFailWith('MEMBER_STORAGE_LIMIT');
      expect(reply.envelope.msg).toBe(
        'Your files take 5.1 GB; your level keeps 5 GB. With one lab at a time you can still open them and delete some; a higher level keeps more.',
      );
      expect(reply.envelope.data).toEqual({ usedBytes: 5_368_709_121, limitBytes: 5_368_709_120 });
    }

    await world.gift(member.memberId, 'standard', 1);
    expect((await create(member, 'Second')).envelope.success).toBe(true);
    await advance(test.db, DAY_MS);
    expect(await create(member, 'Fourth')).toFailWith('MEMBER_STORAGE_LIMIT');
    await test.as(member).send('POST /gateway/workshop/delete', { body: { workshopId: first.data.workshopId } });
    expect((await create(member, 'Fourth')).envelope.success).toBe(true);
  });

  it('lets one lab run however much the homes hold, so that files can be deleted in it, and no second', async () => {
    const member = await test.buildMember({ remainDcuMicro: 1000n * DCU });
    await create(member, 'Full');
    await holds(member.memberId, 6n * GB);

    expect((await start(member, 'cpu-half')).envelope.success).toBe(true);
    expect(await start(member, 'cpu-half')).toFailWith('MEMBER_STORAGE_LIMIT');
  });

  it('is measured by what the engine last saw, also after the lab stopped', async () => {
    const { member, workshopId } = await startLab(test, { specId: 'cpu-half' });
    const sample = test.engine.sample.bind(test.engine);
    const spy = jest
      .spyOn(test.engine, 'sample')
      .mockImplementation(async (refs) => (await sample(refs)).map((one) => ({ ...one, diskBytes: 7_654_321 })));
    await test.services.workshopMetrics.sample();
    spy.mockRestore();
    await test.as(member).send('POST /gateway/workshop/stop', { body: { workshopId } });
    await pass(test, 2);

    const { data } = await test.as(member).send('GET /gateway/packageMembership/list');
    expect(data.current?.usage).toMatchObject({ storageBytes: 7_654_321, runningLabs: 0 });
  });
});
