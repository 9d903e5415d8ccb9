import fc from 'fast-check';
import { inTransaction } from '../../db/client';
import { Refusal } from '../../refusal';
import { createTestDatabase, setTestNow, type TestDatabase } from '../../testing/testDatabase';
import { LEASE_MS } from './meter.rules';
import { MeterModel } from './meterModel';
import { buildMeterWorld, type MeterWorld } from './meterWorld';

const SEQUENCES = Number(process.env.TEST_SEQUENCES ?? (process.env.ATELIER_DEEP === '1' ? 100_000 : 100));
const SEED = Number(process.env.TEST_SEED ?? Math.trunc(Math.random() * 2 ** 31));
const MINUTE = 60_000;
const START = Date.parse('2031-03-01T00:00:00Z');

let database: TestDatabase;
let world: MeterWorld;

/** The invariants look at a whole database each time, so long runs change it now and then. */
const SEQUENCES_A_DATABASE = 200;
let played = 0;

async function renewDatabase(): Promise<void> {
  if (played > 0) await database.drop();
  database = await createTestDatabase();
  await setTestNow(database.db, new Date(START));
  world = await buildMeterWorld(database.db);
}
afterAll(() => database.drop());

const ms = fc.oneof(fc.integer({ min: 1, max: 30_000 }), fc.integer({ min: 1, max: 8 * MINUTE }));
const which = fc.nat(2);
const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('live' as const), ms }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('liveUnseen' as const), ms }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('tick' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('expire' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('start' as const), rate: fc.bigInt({ min: 1n, max: 30_000_000n }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('grant' as const),
      micro: fc.bigInt({ min: 1n, max: 4_000_000n }),
      lasts: fc.option(fc.integer({ min: 1, max: 30 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pause' as const), which }) },
  // The gateway is away, or the engine was lost, and labs run on: lots expire before anybody sees them again.
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('away' as const),
      ms: fc.integer({ min: 2 * MINUTE, max: 12 * MINUTE }),
      lasts: fc.option(fc.integer({ min: 1, max: 8 })),
      isLost: fc.boolean(),
      which,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stop' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const), which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('jump' as const),
      ms: fc.constantFrom(-86_400_000, -3_600_000, -1_000, 1_000, 3_600_000, 86_400_000),
    }),
  },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

class Crash extends Error {}

/** One member's history, on the real services and in the model at once. */
async function play(commands: readonly Command[]): Promise<void> {
  const memberId = await world.addMember();
  const workshops = [await world.addWorkshop(memberId), await world.addWorkshop(memberId), await world.addWorkshop(memberId)];
  const labOf = new Map<string, string>();
  const model = new MeterModel(START);
  const { metering } = world;
  await setTestNow(database.db, new Date(START));

  const pass = async (passedMs: number): Promise<void> => {
    model.pass(passedMs);
    await setTestNow(database.db, new Date(model.nowMs));
  };
  const sight = async (): Promise<void> => {
    await metering.recordSightings(model.open().map(([sessionId, lab]) => ({ sessionId, runningMs: lab.ranMs })));
    for (const [id] of model.open()) model.sight(id);
  };
  const grant = async (micro: bigint, expiresAtMs: number | null): Promise<void> => {
    expect(await world.grant(memberId, micro, expiresAtMs === null ? null : new Date(expiresAtMs))).toBe('granted');
    const lot = await database.db
      .selectFrom('dcuLot')
      .select('id')
      .where('memberId', '=', memberId)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    model.lots.push({ lotId: lot.id, remaining: micro, grantedAtMs: model.nowMs, expiresAtMs });
  };
  const end = async (id: string): Promise<void> => {
    const lab = model.labs.get(id);
    await world.end(id, lab?.ranMs ?? 0, lab?.ranMs === lab?.leaseMs ? 'LEASE' : 'MEMBER');
    model.end(id);
  };
  const openAt = (index: number): string | undefined => model.open()[index % Math.max(1, model.open().length)]?.[0];

  const run: { [K in Command['do']]: (step: Extract<Command, { do: K }>) => Promise<void> } = {
    live: async (step) => {
      for (let left = step.ms; left > 0; left -= MINUTE) {
        await pass(Math.min(left, MINUTE));
        await sight();
      }
    },
    liveUnseen: (step) => pass(step.ms),
    tick: async () => {
      for (const { sessionId, leaseLimitMs } of (await metering.tick()).leases) {
        const lab = model.labs.get(sessionId);
        if (!lab) continue;
        expect(leaseLimitMs).toBeGreaterThan(lab.leaseMs);
        expect(leaseLimitMs).toBeLessThanOrEqual(lab.observedMs + Number(LEASE_MS));
        lab.leaseMs = leaseLimitMs;
      }
    },
    expire: async () => {
      await inTransaction(database.db, (tx) => metering.expireLotsOf(tx, memberId));
    },
    start: async (step) => {
      const free = workshops.find((workshopId) => model.open().every(([id]) => labOf.get(id) !== workshopId));
      if (!free) return;
      const position = await metering.getPosition(memberId);
      const needed = (step.rate * LEASE_MS) / 3_600_000n;
      try {
        const id = await world.start(memberId, step.rate, free);
        expect(position.availableMicro >= needed).toBe(true);
        labOf.set(id, free);
        model.start(id, step.rate, Number(LEASE_MS));
        const last = [...model.labs].filter(([other]) => other !== id && labOf.get(other) === free);
        const lab = model.labs.get(id);
        if (lab) lab.meteredUntilMs = Math.max(0, ...last.map(([, { meteredUntilMs }]) => meteredUntilMs));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        expect(error.error).toBe('MEMBER_DCU_LIMIT');
      }
    },
    grant: (step) => grant(step.micro, step.lasts === null ? null : model.nowMs + step.lasts * MINUTE),
    pause: async (step) => {
      const id = openAt(step.which);
      if (!id) return;
      await metering.pauseSessions([id]);
      const lab = model.labs.get(id);
      if (lab) lab.since = null;
    },
    away: async (step) => {
      if (step.lasts !== null) await grant(1_000_000n, model.nowMs + step.lasts * MINUTE);
      if (step.isLost) await run.pause({ do: 'pause', which: step.which });
      await pass(step.ms);
      await run.expire({ do: 'expire' });
      await sight();
    },
    stop: async (step) => {
      const id = openAt(step.which);
      if (id) await end(id);
    },
    crash: async (step) => {
      const id = openAt(step.which);
      const work = inTransaction(database.db, async (tx) => {
        if (id)
          await metering.endSession(tx, {
            sessionId: id,
            runningMs: model.labs.get(id)?.ranMs ?? 0,
            stopReason: 'MEMBER',
            exitCode: 0,
          });
        else await metering.settleMember(tx, memberId);
        throw new Crash();
      });
      await expect(work).rejects.toThrow(Crash);
    },
    jump: async (step) => {
      model.isByLotUnknown = true;
      model.nowMs += step.ms;
      await setTestNow(database.db, new Date(model.nowMs));
    },
  };

  await grant(3_000_000n, null);
  for (const step of commands) {
    await run[step.do](step as never);
    await compare(memberId, model);
  }
  for (const [id] of model.open()) await end(id);
  await pass(60 * MINUTE);
  await run.expire({ do: 'expire' });
  await compare(memberId, model);
  await compareLots(memberId, model);
}

/** At every step: nothing is lost, doubled or charged beyond what was observed. */
async function compare(memberId: string, model: MeterModel): Promise<void> {
  const { postedMicro, accruedMicro, heldMicro } = await world.metering.getBalance(memberId);
  const granted = model.lots.reduce((sum, { remaining }) => sum + remaining, 0n);
  expect(postedMicro - accruedMicro).toBe(granted - model.usedMicro() - (await expiredMicro(memberId)));
  expect(postedMicro >= heldMicro && heldMicro >= accruedMicro).toBe(true);
}

async function expiredMicro(memberId: string): Promise<bigint> {
  const { micro } = await database.db
    .selectFrom('ledgerEntry')
    .innerJoin('wallet', 'wallet.accountId', 'ledgerEntry.accountId')
    .select((eb) => eb.fn.sum<string | null>('ledgerEntry.amount').as('micro'))
    .where('wallet.memberId', '=', memberId)
    .where('ledgerEntry.kind', '=', 'expiry')
    .executeTakeFirstOrThrow();
  return -BigInt(micro ?? 0);
}

/** In the end: each lot paid what a meter reading every millisecond would have burnt, and the expired ones are gone. */
async function compareLots(memberId: string, model: MeterModel): Promise<void> {
  const rows = await database.db
    .selectFrom('dcuLot')
    .select(['id', 'remaining', 'expiresAt'])
    .where('memberId', '=', memberId)
    .execute();
  const predicted = model.leftOfLots();
  for (const { id, remaining, expiresAt } of rows) {
    const isExpired = expiresAt !== null && expiresAt.getTime() <= model.nowMs;
    if (isExpired) expect(remaining).toBe(0n);
    else if (!model.isByLotUnknown) expect(remaining).toBe(predicted.get(id));
  }
}

it(
  `keeps to the model over ${SEQUENCES} random histories (seed ${SEED}), and every invariant holds after each`,
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 30 }), async (commands) => {
        if (played % SEQUENCES_A_DATABASE === 0) await renewDatabase();
        played += 1;
        await play(commands);
        expect(await world.breaches()).toEqual([]);
      }),
      { numRuns: SEQUENCES, seed: SEED, endOnFailure: process.env.ATELIER_DEEP === '1' },
    );
  },
  SEQUENCES * 2_000,
);
