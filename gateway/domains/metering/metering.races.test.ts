import { inTransaction } from '../../db/client';
import { Refusal } from '../../refusal';
import { createTestDatabase, setTestNow, type TestDatabase } from '../../testing/testDatabase';
import { buildMeterWorld, type MeterWorld } from './meterWorld';

const HOUR = 3_600_000;
const UNIT = 3_600_000n;

let database: TestDatabase;
let world: MeterWorld;
let nowMs = Date.parse('2033-01-01T00:00:00Z');

beforeAll(async () => {
  database = await createTestDatabase();
  await setTestNow(database.db, new Date(nowMs));
  world = await buildMeterWorld(database.db);
});
afterAll(() => database.drop());
afterEach(async () => expect(await world.breaches()).toEqual([]));

function pass(ms: number): Promise<void> {
  nowMs += ms;
  return setTestNow(database.db, new Date(nowMs));
}
const times = (n: number) => Array.from({ length: n }, (_, index) => index);

/** Labs that have run `ms` under leases long enough for it. */
async function runningLabs(count: number, ms: number): Promise<{ memberId: string; sessionId: string }[]> {
  const labs: { memberId: string; sessionId: string }[] = [];
  for (const _ of times(count)) {
    const memberId = await world.addMember();
    await world.grant(memberId, 100_000_000n);
    labs.push({ memberId, sessionId: await world.start(memberId, UNIT) });
  }
  for (let ran = 0; ran < ms; ) {
    const step = Math.min(8 * 60_000, ms - ran);
    ran += step;
    await pass(step);
    await world.metering.recordSightings(labs.map(({ sessionId }) => ({ sessionId, runningMs: ran })));
    if (ran < ms) await world.metering.tick();
  }
  return labs;
}

it('charges every segment once when eight workers tick at the same time', async () => {
  const labs = await runningLabs(40, HOUR);
  const reports = await Promise.all(times(8).map(() => world.metering.tick()));
  const raised = reports.flatMap(({ leases }) => leases.map(({ sessionId }) => sessionId));
  expect(new Set(raised).size).toBe(raised.length);
  expect(reports.reduce((sum, { segments }) => sum + segments, 0)).toBe(labs.length);
  for (const { memberId, sessionId } of labs) {
    expect(await world.session(sessionId)).toMatchObject({ segmentSeq: 1, chargedMicro: UNIT });
    expect((await world.metering.getBalance(memberId)).postedMicro).toBe(100_000_000n - UNIT);
    await world.end(sessionId, HOUR);
  }
}, 30_000);

it('keeps the books when stop, tick, grant, pause and sightings meet on one member', async () => {
  for (const _ of times(15)) {
    const [lab] = await runningLabs(1, HOUR);
    if (!lab) throw new Error('no lab');
    const { memberId, sessionId } = lab;
    const ends = await Promise.all([
      world.end(sessionId, HOUR),
      world.metering.tick(),
      world.grant(memberId, 5_000_000n, new Date(nowMs + HOUR)),
      world.metering.pauseSessions([sessionId]),
      world.metering.recordSightings([{ sessionId, runningMs: HOUR }]),
      world.metering.tick(),
      world.end(sessionId, HOUR),
      inTransaction(database.db, (tx) => world.metering.settleMember(tx, memberId)),
    ]);
    expect(ends[0]).toEqual({ stopReason: 'MEMBER', observedMs: BigInt(HOUR), chargedMicro: UNIT });
    expect(ends[6]).toEqual(ends[0]);
    expect(await world.metering.getBalance(memberId)).toEqual({
      postedMicro: 105_000_000n - UNIT,
      accruedMicro: 0n,
      heldMicro: 0n,
    });
  }
}, 30_000);

it('starts exactly one of a hundred parallel labs when the balance is for one', async () => {
  const memberId = await world.addMember();
  await world.grant(memberId, 600_000n);
  const workshops: string[] = [];
  for (const _ of times(100)) workshops.push(await world.addWorkshop(memberId));

  const starts = await Promise.allSettled(workshops.map((workshopId) => world.start(memberId, UNIT, workshopId)));

  const refused = starts.flatMap((start) => (start.status === 'rejected' ? [start.reason] : []));
  expect(refused).toHaveLength(99);
  for (const reason of refused) {
    expect(reason).toBeInstanceOf(Refusal);
    expect(reason).toMatchObject({
      error: 'MEMBER_DCU_LIMIT',
      options: { data: { cause: 'BALANCE', neededDcu: 0.6, availableDcu: 0, remainDcu: 0.6, missingDcu: 0.6 } },
    });
  }
}, 30_000);

it('grants once when fifty ask with one key', async () => {
  const memberId = await world.addMember();
  const answers = await Promise.all(times(50).map(() => world.grant(memberId, 7n, null, `once:${memberId}`)));
  expect(answers.filter((answer) => answer === 'granted')).toHaveLength(1);
  expect((await world.metering.getBalance(memberId)).postedMicro).toBe(7n);
}, 30_000);

it('grants one key once even to two different members', async () => {
  const members = [await world.addMember(), await world.addMember()];
  const answers = await Promise.all(members.map((memberId) => world.grant(memberId, 7n, null, 'gift:signup:same-number')));
  expect([...answers].sort()).toEqual(['already', 'granted']);
});

it('finishes both of two transactions that deadlock', async () => {
  const [a, b] = [await world.addMember(), await world.addMember()];
  let waiting: (() => void)[] = [];
  const bothHold = () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length < 2) return;
      for (const go of waiting) go();
    });
  const tries = { first: 0, second: 0 };
  const cross = (name: keyof typeof tries, first: string, second: string) =>
    inTransaction(database.db, async (tx) => {
      tries[name] += 1;
      await world.ledger.lockWallet(tx, first);
      if (tries[name] === 1) await bothHold();
      await world.ledger.lockWallet(tx, second);
      return name;
    });
  expect(await Promise.all([cross('first', a, b), cross('second', b, a)])).toEqual(['first', 'second']);
  expect(tries.first + tries.second).toBe(3);
  waiting = [];
}, 30_000);
