import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pino from 'pino';
import { systemClock } from '../clock';
import { createDb, createPool, type Db, inTransaction } from '../db/client';
import { startEmbeddedPostgres } from '../db/embeddedPostgres';
import { migrateToLatest } from '../db/migrate';
import { createLedgerService, type LedgerService } from '../domains/ledger/ledger.service';
import { planLeases } from '../domains/metering/lease.rules';
import { selectOpenSessionsForUpdate, updateMeter } from '../domains/metering/meter.repository';
import { heldMicro } from '../domains/metering/meter.rules';
import { createMeteringService, type MeteringService } from '../domains/metering/metering.service';
import { createSettlementService } from '../domains/metering/settlement.service';
import { type Load, seedLoad } from './tickWorld';

const LIMITS_MS = { connect: 10_000, lock: 60_000, statement: 600_000, idleInTransaction: 600_000 };
/** How many sessions the one-transaction-a-session way is measured on. */
const SINGLES = 1_000;

interface Row {
  load: string;
  sessions: number;
  segments: number;
  leases: number;
  tickMs: number;
  microsecondsPerSession: number;
  oneByOneMicroseconds: number | null;
}

const loads: readonly (Omit<Load, 'sessions'> & { load: string })[] = [
  { load: 'steady', lowLeaseEvery: 20, dueSegmentEvery: 240 },
  { load: 'every lease low', lowLeaseEvery: 1, dueSegmentEvery: 1_000_000_000 },
  { load: 'everything due', lowLeaseEvery: 1, dueSegmentEvery: 1 },
];

/** `node -r esbuild-register gateway/bench/tick.ts [sessions …]`: one pass of the meter against one transaction a session. */
async function main(): Promise<void> {
  const sizes = process.argv.slice(2).map(Number);
  const folder = await mkdtemp(join(tmpdir(), 'atelier-bench-'));
  const postgres = await startEmbeddedPostgres(folder);
  const rows: Row[] = [];
  try {
    const admin = createDb(createPool(postgres.url('postgres', 'postgres'), { max: 1, limitsMs: LIMITS_MS }));
    for (const sessions of sizes.length > 0 ? sizes : [1_000, 10_000, 100_000]) {
      for (const load of loads) {
        const name = `bench_${sessions}_${loads.indexOf(load)}`;
        await sql`create database ${sql.id(name)}`.execute(admin);
        rows.push(await measure(postgres.url(name, 'postgres'), { ...load, sessions }));
        process.stdout.write(`${line(rows.at(-1))}\n`);
        await sql`drop database ${sql.id(name)}`.execute(admin);
      }
    }
    await admin.destroy();
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
  process.stdout.write(`${JSON.stringify(rows)}\n`);
}

async function measure(url: string, load: Load & { load: string }): Promise<Row> {
  const db = createDb(createPool(url, { max: 4, limitsMs: LIMITS_MS }));
  try {
    await migrateToLatest(db);
    await seedLoad(db, load);
    const log = pino({ level: 'silent' });
    const ledger: LedgerService = createLedgerService({ db, settleMember: (tx, memberId) => metering.settleMember(tx, memberId) });
    const metering: MeteringService = createMeteringService({
      db,
      clock: systemClock,
      ledger,
      priceOf: () => null,
      note: () => Promise.resolve(),
      log,
    });
    const isWorst = load.dueSegmentEvery === 1;
    const oneByOneMicroseconds = isWorst ? await measureOneByOne(db, ledger, Math.min(SINGLES, load.sessions / 2)) : null;
    const { segments, leases, tookMs } = await metering.tick();
    return {
      ...{ load: load.load, sessions: load.sessions, segments, leases: leases.length, tickMs: Math.round(tookMs) },
      ...{ microsecondsPerSession: Math.round((tookMs * 1000) / load.sessions), oneByOneMicroseconds },
    };
  } finally {
    await db.destroy();
  }
}

/** The same work, a transaction a session: close the segment, extend the lease. Microseconds a session. */
async function measureOneByOne(db: Db, ledger: LedgerService, count: number): Promise<number> {
  const settlement = createSettlementService({ ledger });
  const members = await db.selectFrom('wallet').select('memberId').orderBy('memberId').limit(count).execute();
  const startedMs = performance.now();
  for (const { memberId } of members) {
    await inTransaction(db, async (tx) => {
      const wallet = await ledger.lockWallet(tx, memberId);
      const sessions = await settlement.closeSegments(tx, wallet, await selectOpenSessionsForUpdate(tx, memberId));
      const limitsMs = planLeases({ lots: await ledger.lotsOf(tx, memberId), meters: sessions, atMs: Date.now() });
      for (const session of sessions) {
        const raised = { ...session, leaseLimitMs: limitsMs.get(session.sessionId) ?? session.leaseLimitMs };
        await updateMeter(tx, raised);
        await ledger.moveHolds(tx, new Map([[memberId, heldMicro(raised) - heldMicro(session)]]));
      }
    });
  }
  return Math.round(((performance.now() - startedMs) * 1000) / count);
}

function line(row: Row | undefined): string {
  return row
    ? Object.entries(row)
        .map(([name, value]) => `${name} ${value}`)
        .join(' · ')
    : '';
}

void main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exitCode = 1;
});
