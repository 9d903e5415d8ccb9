import { sql } from 'kysely';
import pino from 'pino';
import { systemClock } from '../clock';
import { createLedgerService, type LedgerService } from '../domains/ledger/ledger.service';
import { createMeteringService, type MeteringService } from '../domains/metering/metering.service';
import { createExpireLotsLoop } from '../jobs/expireLots';
import { type BenchServer, connect, fillDatabase, onBenchServer } from './benchDatabase';
import { type BenchRun, rounded, runBench, timeMs } from './finding';
import { seedSessions } from './tickWorld';

/** As the meter: what happens to everybody at one instant must not hold the books up longer than its pass. */
const BUDGET_MS = 5_000;

/** Lots of many members that end at one instant, as those of a month do: who runs nothing, and who runs a lab meanwhile. */
async function measureExpiry(run: BenchRun): Promise<void> {
  await onBenchServer(async (server) => {
    for (const isRunning of [false, true]) {
      // Where labs run each member is settled alone, because what their engine may still report decides how much goes.
      const lots = (run.isQuick ? 100 : 1_000) * (isRunning ? 1 : 10);
      const { tookMs, members } = await measure(server, lots, isRunning);
      run.report({
        what: `${lots.toLocaleString('en')} lots that end at one instant, ${isRunning ? 'each with a running lab' : 'nobody runs a lab'}`,
        ...{ measured: rounded(tookMs), unit: 'ms', budget: { atMost: BUDGET_MS }, note: `${members} members settled` },
      });
    }
  });
}

async function measure(server: BenchServer, lots: number, isRunning: boolean): Promise<{ tookMs: number; members: number }> {
  const url = await server.createDatabase(`expiry_${isRunning}`);
  await fillDatabase(url, async (db) => {
    await seedSessions(db, lots);
    await db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      if (!isRunning) {
        await sql`update lab_session set ended_at = app_now(), stop_reason = 'MEMBER', segment_from_at = null`.execute(tx);
      }
      await sql`update dcu_lot set granted_at = app_now() - interval '1 month', expires_at = app_now() - interval '2 minutes'`.execute(
        tx,
      );
    });
  });
  const db = connect(url);
  const log = pino({ level: 'silent' });
  const ledger: LedgerService = createLedgerService({ db, settleMember: (tx, memberId) => metering.settleMember(tx, memberId) });
  const metering: MeteringService = createMeteringService({
    ...{ db, clock: systemClock, ledger, priceOf: () => null, note: () => Promise.resolve(), log },
  });
  const loop = createExpireLotsLoop({ db, ledger, metering, log });
  let members = 0;
  const tookMs = await timeMs(async () => {
    ({ members } = await loop.runOnce());
  });
  await db.destroy();
  return { tookMs, members };
}

runBench(measureExpiry);
