import { sql } from 'kysely';
import pino from 'pino';
import { v7 as uuidv7 } from 'uuid';
import type { Clock } from '../../clock';
import { type Db, inTransaction } from '../../db/client';
import { clockOf } from '../../testing/testClock';
import { checkInvariants } from '../ledger/invariants';
import { createLedgerService } from '../ledger/ledger.service';
import { createMeteringService } from './metering.service';
import type { NoteMeter } from './meterNotice';
import type { PriceOf } from './tick.service';

export const RATE = 1_234_567n;

export type MeterWorld = Awaited<ReturnType<typeof buildMeterWorld>>;

function mobileOf(memberId: string): string {
  return `+86${BigInt(`0x${memberId.slice(-12)}`) % 1_000_000_000_000n}`;
}

/** Ledger and metering on a test database, with members and labs made by SQL: what the domains' own tests stand on. */
export async function buildMeterWorld(
  db: Db,
  options: { priceOf?: PriceOf; clock?: Clock; note?: NoteMeter; segmentsAPass?: number } = {},
) {
  const log = pino({ level: 'silent' });
  const ledger = createLedgerService({ db, settleMember: (tx, memberId) => metering.settleMember(tx, memberId) });
  const priceOf: PriceOf = options.priceOf ?? (() => null);
  const note = options.note ?? (() => Promise.resolve());
  const metering = createMeteringService({
    db,
    clock: options.clock ?? clockOf(db),
    ledger,
    priceOf,
    note,
    log,
    segmentsAPass: options.segmentsAPass,
  });
  const engineInstanceId = uuidv7();
  await sql`insert into engine_instance (id, kind) values (${engineInstanceId}, 'simulated')`.execute(db);

  async function addMember(): Promise<string> {
    const memberId = uuidv7();
    const name = `m${memberId.replaceAll('-', '').slice(4)}`.slice(0, 32);
    await inTransaction(db, async (tx) => {
      await sql`insert into member (id, username, password_hash, mobile)
        values (${memberId}, ${name}, 'x', ${mobileOf(memberId)})`.execute(tx);
      await ledger.openWallet(tx, memberId);
    });
    return memberId;
  }

  async function addWorkshop(memberId: string): Promise<string> {
    const workshopId = uuidv7();
    await sql`insert into workshop (id, member_id, name, spec_id, image_id, engine_instance_id)
      values (${workshopId}, ${memberId}, ${workshopId.slice(-12)}, 'spec', 'image', ${engineInstanceId})`.execute(db);
    return workshopId;
  }

  function grant(memberId: string, micro: bigint, expiresAt: Date | null = null, idemKey: string = uuidv7()) {
    const lot = { kind: 'grant', source: 'gift', refType: 'test', refId: 'test' } as const;
    return inTransaction(db, (tx) => ledger.grantDcu(tx, { ...lot, memberId, micro, expiresAt, idemKey }));
  }

  /** Opens a session on a workshop (a new one unless given); throws what `openSession` refuses with. */
  async function start(memberId: string, rateMicroPerHour = RATE, workshopId?: string): Promise<string> {
    const id = workshopId ?? (await addWorkshop(memberId));
    const sessionId = uuidv7();
    await inTransaction(db, async (tx) => {
      await ledger.lockWallet(tx, memberId);
      const { generation } = await tx
        .updateTable('workshop')
        .set((eb) => ({ generation: eb('generation', '+', 1) }))
        .where('id', '=', id)
        .returning('generation')
        .executeTakeFirstOrThrow();
      await metering.openSession(tx, {
        ...{
          sessionId,
          workshopId: id,
          memberId,
          generation,
          engineInstanceId,
          engineRef: sessionId,
          specId: 'spec',
          imageId: 'image',
        },
        ...{ rateMicroPerHour, priceVersion: 1 },
      });
    });
    return sessionId;
  }

  function end(sessionId: string, runningMs: number, stopReason: 'MEMBER' | 'LEASE' = 'MEMBER') {
    return inTransaction(db, (tx) => metering.endSession(tx, { sessionId, runningMs, stopReason, exitCode: null }));
  }

  async function breaches(): Promise<string[]> {
    return (await checkInvariants(db)).flatMap(({ name, breaches: keys }) => keys.map((key) => `${name}: ${key}`));
  }

  function session(sessionId: string) {
    return db.selectFrom('labSession').selectAll().where('id', '=', sessionId).executeTakeFirstOrThrow();
  }

  return { db, ledger, metering, engineInstanceId, addMember, addWorkshop, grant, start, end, breaches, session };
}
