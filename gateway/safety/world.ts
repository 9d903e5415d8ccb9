import { v7 as uuidv7 } from 'uuid';
import type { Calls } from '../contract/calls';
import { inTransaction } from '../db/client';
import { askToSave, buildFurnishedWorkshop, buildImage } from '../domains/labImage/imageWorld';
import { cancelOrder, giveCoupon, placeSku } from '../domains/order/orderWorld';
import { buySku } from '../domains/payment/paymentWorld';
import { pass, sessionOf, startLab } from '../domains/workshop/testbed';
import type { TestApp } from '../testing/buildTestApp';
import type { TestMember } from '../testing/factories';
import type { TestInput } from '../testing/testClient';
import { advance } from '../testing/testDatabase';

/** What ids of a call's input name; each kind can be somebody's, nobody's, or what was somebody's. */
export type ThingKind =
  | 'stoppedWorkshop'
  | 'runningWorkshop'
  | 'billedWorkshop'
  | 'billedSession'
  | 'loginSession'
  | 'coupon'
  | 'pendingOrder'
  | 'paidOrder'
  | 'savedImage'
  | 'savingImage';

/** What each kind is but for its state: a refusal must not tell the states apart either. */
const SAME_BUT_FOR_STATE: Record<ThingKind, readonly ThingKind[]> = {
  stoppedWorkshop: ['stoppedWorkshop', 'runningWorkshop'],
  runningWorkshop: ['runningWorkshop', 'stoppedWorkshop'],
  billedWorkshop: ['billedWorkshop', 'runningWorkshop'],
  billedSession: ['billedSession'],
  loginSession: ['loginSession'],
  coupon: ['coupon'],
  pendingOrder: ['pendingOrder', 'paidOrder'],
  paidOrder: ['paidOrder', 'pendingOrder'],
  savedImage: ['savedImage', 'savingImage'],
  savingImage: ['savingImage', 'savedImage'],
};

/** Two members who have nothing to do with each other, in a gateway they share. */
export interface World {
  test: TestApp;
  owner: TestMember;
  stranger: TestMember;
  /** The id of a new thing of this member's. */
  make(kind: ThingKind, member: TestMember): Promise<string>;
  /** Ids of new things of this member's, one in each state. */
  makeInEachState(kind: ThingKind, member: TestMember): Promise<Record<string, string>>;
  /** The id of a thing this member had and deleted. */
  makeDeleted(kind: ThingKind, member: TestMember): Promise<string>;
}

export async function createWorld(test: TestApp): Promise<World> {
  const [owner, stranger] = [await test.buildMember({ levelFlag: 3 }), await test.buildMember({ levelFlag: 3 })];
  const makers: Record<ThingKind, (member: TestMember) => Promise<string>> = {
    stoppedWorkshop: async ({ memberId }) => (await test.buildWorkshop({ memberId })).workshopId,
    runningWorkshop: async (member) => (await startLab(test, { member, specId: 'cpu-half' })).workshopId,
    billedWorkshop: async (member) => (await billLab(member)).workshopId,
    billedSession: async (member) => (await billLab(member)).sessionId,
    loginSession: (member) => signInElsewhere(test, member),
    coupon: (member) => giveCoupon(test, member),
    pendingOrder: async (member) => (await placeSku(test, member)).data.orderId,
    paidOrder: async (member) => (await buySku(test, member)).orderId,
    savedImage: (member) => buildImage(test, member),
    savingImage: async (member) => (await askToSave(test, member, await buildFurnishedWorkshop(test, member))).imageId,
  };
  const undoers: Record<ThingKind, (id: string, member: TestMember) => Promise<void>> = {
    stoppedWorkshop: deleteWorkshop,
    runningWorkshop: deleteWorkshop,
    billedWorkshop: deleteWorkshop,
    billedSession: async () => undefined,
    loginSession: (id) => test.services.loginSessions.revokeSession(id),
    // What is bought or given is never deleted; a coupon of a cancelled order is free again.
    coupon: async () => undefined,
    pendingOrder: async (orderId, member) => void (await cancelOrder(test, member, orderId)),
    paidOrder: async () => undefined,
    savedImage: async (imageId, member) =>
      void (await test.as(member).send('POST /gateway/labImage/delete', { body: { imageId } })),
    savingImage: async (imageId, member) =>
      void (await test.as(member).send('POST /gateway/labImage/cancel', { body: { imageId } })),
  };
  async function billLab(member: TestMember): Promise<{ workshopId: string; sessionId: string }> {
    const { workshopId, sessionId } = await startLab(test, { member, specId: 'cpu-half' });
    await advance(test.db, 10_000);
    await stopWorkshop(workshopId, member);
    const { chargedMicro } = await sessionOf(test, sessionId);
    if (chargedMicro === 0n) throw new Error('the workshop was not billed');
    return { workshopId, sessionId };
  }
  async function stopWorkshop(workshopId: string, member: TestMember): Promise<void> {
    await test.as(member).send('POST /gateway/workshop/stop', { body: { workshopId } });
    await pass(test, 2);
  }
  async function deleteWorkshop(workshopId: string, member: TestMember): Promise<void> {
    await stopWorkshop(workshopId, member);
    await test.as(member).send('POST /gateway/workshop/delete', { body: { workshopId } });
    await pass(test, 2);
    const { state } = await test.db.selectFrom('workshop').select('state').where('id', '=', workshopId).executeTakeFirstOrThrow();
    if (state !== 'DELETED') throw new Error(`the workshop is ${state}`);
  }
  return {
    test,
    owner,
    stranger,
    make: (kind, member) => makers[kind](member),
    async makeInEachState(kind, member) {
      const made: Record<string, string> = {};
      for (const one of SAME_BUT_FOR_STATE[kind]) made[one] = await makers[one](member);
      return made;
    },
    async makeDeleted(kind, member) {
      const id = await makers[kind](member);
      await undoers[kind](id, member);
      return id;
    },
  };
}

/** Another browser of this member's. */
async function signInElsewhere({ db, services }: TestApp, { memberId }: TestMember): Promise<string> {
  const request = { memberId, isKept: false, replaced: null, ip: '192.0.2.7', userAgent: 'elsewhere' };
  return (await inTransaction(db, (tx) => services.loginSessions.createSession(tx, request))).id;
}

/** What the generated suites know of a call beside its contract. */
export interface CallRow {
  /** Input that succeeds for this member, with things of the member's own made for it. */
  input(world: World, member: TestMember): Promise<TestInput> | TestInput;
  /**
   * What each id of the input names, by its place (`body.workshopId`). `free` names nobody's thing: any member may send any, and
   * learns and changes nothing of others' by it.
   */
  ids?: Readonly<Record<string, ThingKind | 'free'>>;
  /** What it names cannot be deleted: its owner goes on seeing it. */
  isNeverDeleted?: true;
  /** It changes what is its member's own, as one may again and again: nothing in its answer tells of others. */
  isOwnChange?: true;
  /** It asks for what its row put into the member's own workshop. */
  isOwnContent?: true;
  /** An id that names nothing of the member's is not refused but finds nothing: a filter. */
  isFilter?: true;
}

/** The rows of a domain: one for each of its calls, or it does not compile. */
export type RowsOf<T extends Partial<Calls>> = Readonly<Record<keyof T, CallRow>>;

export const NOBODYS_ID = uuidv7();

/** The input with `value` in place of what stands at `place` (`body.workshopId`, `body.items.0.id`). */
export function replaceAt(input: TestInput, place: string, value: unknown): TestInput {
  return replaced(input, place.split('.'), value) as TestInput;
}

function replaced(inner: unknown, [name, ...rest]: string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(inner)) return inner.map((item, index) => (String(index) === name ? replaced(item, rest, value) : item));
  return { ...Object(inner), [name]: replaced(Object(inner)[name], rest, value) };
}
