import pino from 'pino';
import { addBillingMonths } from '../billingCalendar';
import { inTransaction } from '../db/client';
import { checkInvariants } from '../domains/ledger/invariants';
import { buildMembershipWorld, type MembershipWorld } from '../domains/membership/membershipWorld';
import { advance, setTestNow } from '../testing/testDatabase';
import { createGrantMembershipsLoop } from './grantMemberships';

const DAY_MS = 86_400_000;
const DCU = 1_000_000n;
const log = pino({ level: 'silent' });

let world: MembershipWorld;
beforeAll(async () => {
  world = await buildMembershipWorld();
  await setTestNow(world.db, new Date('2034-01-15T00:00:00.000Z'));
});
afterAll(() => world.drop());
afterEach(async () => {
  const results = await checkInvariants(world.db);
  expect(results.filter(({ breaches }) => breaches.length > 0)).toEqual([]);
});

const loopOf = (membership: Partial<MembershipWorld['membership']> = {}) =>
  createGrantMembershipsLoop({ ...world, membership: { ...world.membership, ...membership }, log });
const grantedTo = async (memberId: string) => (await world.lotsOf(memberId)).reduce((sum, lot) => sum + lot.granted, 0n);

describe('the loop of monthly grants', () => {
  it('makes each grant once, however often and however many at once it runs', async () => {
    const members = await Promise.all(Array.from({ length: 8 }, () => world.newMember()));
    for (const memberId of members) await world.buy(memberId, world.packageOf('standard', 3), 87_00n);
    await setTestNow(world.db, addBillingMonths(new Date('2034-01-15T00:00:00.000Z'), 1));
    const reports = await Promise.all([1, 2, 3, 4].map(() => loopOf().runOnce()));
    reports.push(await loopOf().runOnce(), await loopOf().runOnce());

    expect(reports.reduce((sum, { grants }) => sum + grants, 0)).toBe(members.length);
    expect(reports.at(-1)).toEqual({ members: 0, grants: 0 });
    for (const memberId of members) expect(await grantedTo(memberId)).toBe(60n * DCU);
  });

  it('comes late without loss: what was due is granted, for as long as it would have lasted, and what waited began in its time', async () => {
    const memberId = await world.newMember();
    await world.buy(memberId, world.packageOf('pro', 2), 198_00n);
    await world.buy(memberId, world.packageOf('standard', 1), 29_00n);
    const [pro, standard] = await world.itemsOf(memberId);
    await setTestNow(world.db, new Date((standard?.endsAt.getTime() ?? 0) + DAY_MS));
    expect((await world.membership.getRights(memberId)).levelFlag).toBe(0);
    await loopOf().runOnce();

    expect(await world.itemsOf(memberId)).toMatchObject([
      { state: 'ENDED', endedAt: pro?.endsAt, grantedMicro: 240n * DCU },
      { state: 'ENDED', endedAt: standard?.endsAt, grantedMicro: 30n * DCU },
    ]);
    const [, second, last] = await world.lotsOf(memberId);
    expect(await grantedTo(memberId)).toBe(270n * DCU);
    expect((second?.expiresAt?.getTime() ?? 0) - (second?.grantedAt.getTime() ?? 0)).toBeGreaterThanOrEqual(28 * DAY_MS);
    expect((last?.expiresAt?.getTime() ?? 0) - (last?.grantedAt.getTime() ?? 0)).toBeGreaterThanOrEqual(28 * DAY_MS);
  });

  it('leaves a member somebody works on to its next run, and the others are served', async () => {
    const [busy, free] = [await world.newMember(), await world.newMember()];
    for (const memberId of [busy, free]) await world.buy(memberId, world.packageOf('standard', 2), 58_00n);
    await advance(world.db, 32 * DAY_MS);
    await inTransaction(world.db, async (tx) => {
      await world.ledger.lockWallet(tx, busy);
      await loopOf().runOnce();
      expect([await grantedTo(busy), await grantedTo(free)]).toEqual([30n * DCU, 60n * DCU]);
    });
    await loopOf().runOnce();

    expect(await grantedTo(busy)).toBe(60n * DCU);
  });

  it('says whose packages it could not advance and serves the others', async () => {
    const [broken, sound] = [await world.newMember(), await world.newMember()];
    for (const memberId of [broken, sound]) await world.buy(memberId, world.packageOf('standard', 2), 58_00n);
    await advance(world.db, 32 * DAY_MS);
    const failing = loopOf({
      advance: (tx, memberIds) =>
        memberIds.includes(broken) ? Promise.reject(new Error('broken on purpose')) : world.membership.advance(tx, memberIds),
    });

    await expect(failing.runOnce()).rejects.toThrow('packages were not advanced');
    expect([await grantedTo(broken), await grantedTo(sound)]).toEqual([30n * DCU, 60n * DCU]);
    await loopOf().runOnce();
    expect(await grantedTo(broken)).toBe(60n * DCU);
  });
});
