import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { stockOf } from '../domains/order/orderWorld';
import { CrashWorld } from './crashWorld';
import { brokenPromises, buildBuyer, PURCHASE, PurchaseStory } from './purchaseStory';

const ROUNDS = process.env.ATELIER_DEEP === '1' ? 100 : 10;
const SEED = Number(process.env.TEST_SEED ?? Math.trunc(Math.random() * 2 ** 31));
const BUYERS = 3;
/** A story takes about half a second: kills fall everywhere in it. */
const LONGEST_MS = 400;

let world: CrashWorld;
beforeAll(async () => {
  world = await CrashWorld.open();
});
afterAll(() => world.close());

it(`kill -9 at any moment of buying, paying and giving back loses nothing and doubles nothing (seed ${SEED})`, async () => {
  await world.start();
  let isOver = false;
  const stories: PurchaseStory[] = [];

  async function buyAgainAndAgain(): Promise<void> {
    while (!isOver) {
      // The offer is one a member.
      const { member, couponId } = await buildBuyer(world);
      const story = new PurchaseStory(world, member, couponId);
      await story.tell();
      await story.expectEnded();
      stories.push(story);
    }
  }

  async function killAgainAndAgain(): Promise<void> {
    const delays = fc.sample(fc.integer({ min: 0, max: LONGEST_MS }), { seed: SEED, numRuns: ROUNDS });
    for (const delayMs of delays) {
      // A machine so slow that nothing is answered between two kills would come no further.
      const heard = world.answers;
      await world.until('answered', async () => world.answers > heard);
      await pause(delayMs);
      await world.kill();
      await world.revive();
    }
    isOver = true;
  }

  await Promise.all([killAgainAndAgain(), ...Array.from({ length: BUYERS }, buyAgainAndAgain)]);

  expect(world.deaths).toBe(ROUNDS);
  expect(await stockOf(world.test, PURCHASE.skuId)).toMatchObject({ reserved: 0, sold: stories.length });
  expect(await brokenPromises(world)).toEqual([]);
  for (const story of stories.slice(-BUYERS)) await story.expectSameAnswers();
}, 2_400_000);
