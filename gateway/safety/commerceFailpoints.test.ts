import { inTransaction, readNow } from '../db/client';
import { cancelOrder, stockOf } from '../domains/order/orderWorld';
import { pass, sessionOf, startLab } from '../domains/workshop/testbed';
import { type FailpointName, failpointNames } from '../failpoint';
import { advance } from '../testing/testDatabase';
import { CrashWorld } from './crashWorld';
import { brokenPromises, buildBuyer, PURCHASE, PurchaseStory } from './purchaseStory';

const MINUTE = 60_000;

let world: CrashWorld;
beforeAll(async () => {
  world = await CrashWorld.open();
});
afterEach(async () => {
  world.deaths = 0;
  expect(await brokenPromises(world)).toEqual([]);
});
afterAll(() => world.close());

async function stockBefore() {
  const stock = await stockOf(world.test, PURCHASE.skuId);
  if (!stock) throw new Error('nobody counts the offer');
  return stock;
}

type Scene = (name: FailpointName) => Promise<void>;

/** Order, payment and refund, told to a gateway that dies on the way. */
const purchase: Scene = async (name) => {
  const { member, couponId } = await buildBuyer(world);
  const stock = await stockBefore();
  await world.start(name);
  const story = new PurchaseStory(world, member, couponId);
  await story.tell();

  expect(world.deaths).toBe(1);
  await story.expectEnded();
  await story.expectSameAnswers();
  expect(await stockOf(world.test, PURCHASE.skuId)).toEqual({ ...stock, sold: stock.sold + 1 });
};

/** Eight minutes of a lab, charged by a gateway that dies while it does. */
const meter: Scene = async (name) => {
  const { test } = world;
  const lab = await startLab(test, { member: await test.buildMember({ levelFlag: 3 }) });
  for (let minute = 0; minute < 8; minute += 4) {
    await advance(test.db, 4 * MINUTE);
    await pass(test);
  }
  await world.start(name);
  await world.until('dead', async () => world.isDead());
  const before = await sessionOf(test, lab.sessionId);
  await world.revive();
  await world.until('charged', async () => (await sessionOf(test, lab.sessionId)).segmentFromMs === before.observedMs);

  const charged = await sessionOf(test, lab.sessionId);
  expect(charged).toMatchObject({ segmentSeq: 1, observedMs: BigInt(8 * MINUTE) });
  expect(charged.chargedMicro).toBe((charged.rateMicroPerHour * charged.observedMs) / 3_600_000n);
  await test.as(lab.member).send('POST /gateway/workshop/stop', { body: { workshopId: lab.workshopId } });
  await pass(test, 2);
};

/** A lot whose time is over. */
const expireLots: Scene = async (name) => {
  const { test } = world;
  const member = await test.buildMember({ remainDcuMicro: 0n });
  const { memberId } = member;
  await inTransaction(test.db, async (tx) => {
    const lot = { memberId, micro: 5_000_000n, kind: 'grant', source: 'gift', idemKey: `test:${memberId}` } as const;
    const expiresAt = new Date((await readNow(tx)).getTime() + MINUTE);
    await test.services.ledger.grantDcu(tx, { ...lot, expiresAt, refType: 'member', refId: memberId });
  });
  await advance(test.db, 2 * MINUTE);
  await world.start(name);
  await world.until('dead', async () => world.isDead());
  expect((await test.services.ledger.readWallet(test.db, memberId)).posted).toBe(5_000_000n);
  await world.revive();
  await world.until('expired', async () => (await test.services.ledger.readWallet(test.db, memberId)).posted === 0n);

  const ends = await test.pool.query(
    `select count(*)::int as ends from ledger_tx t join ledger_entry e on e.tx_id = t.id join wallet w using (account_id)
      where t.kind = 'expiry' and w.member_id = $1`,
    [memberId],
  );
  expect(ends.rows).toEqual([{ ends: 1 }]);
};

/** An order whose time to pay is over, with coupon, points and a piece set aside and a code shown. */
const expireOrders: Scene = async (name) => {
  const { test } = world;
  const { member, couponId } = await buildBuyer(world);
  const stock = await stockBefore();
  await world.start();
  const story = new PurchaseStory(world, member, couponId);
  await story.place();
  await story.attempt();
  await world.kill();
  await advance(test.db, 31 * MINUTE);
  await world.start(name);
  await world.until('dead', async () => world.isDead());
  expect(await story.state()).toBe('PENDING');
  await world.revive();
  await world.until('expired', async () => (await story.state()) === 'EXPIRED');

  const { data: left } = await test.as(member).send('GET /gateway/order/find', { query: { orderId: story.orderId } });
  expect(left).toMatchObject({ state: 'EXPIRED', payments: [{ state: 'CLOSED' }] });
  expect(left.timeline.map(({ to }) => to)).toEqual(['PENDING', 'EXPIRED']);
  expect(await cancelOrder(test, member, story.orderId)).toFailWith('ORDER_STATE_CONFLICT');
  expect(await stockOf(test, PURCHASE.skuId)).toEqual(stock);
};

function sceneOf(name: FailpointName): Scene {
  if (name.startsWith('meter.')) return meter;
  if (name === 'expire.lots') return expireLots;
  return name === 'expire.orders' ? expireOrders : purchase;
}

it.each(failpointNames)(
  'a gateway that dies at %s loses nothing and doubles nothing',
  async (name) => {
    await sceneOf(name)(name);
  },
  60_000,
);
