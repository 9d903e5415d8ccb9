import { randomUUID } from 'node:crypto';
import { inTransaction } from '../../db/client';
import type { TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { advance } from '../../testing/testDatabase';

const STEP_MS = 5 * 60_000;

export interface LabRun {
  workshopId: string;
  sessionId: string;
}

/** A lab of the member's at 3.6 DCU an hour (one a second in thousandths) that the meter saw run for `ms`. */
export async function runLab(
  test: TestApp,
  { memberId }: TestMember,
  ms: number,
  options: { isLeftRunning?: boolean; name?: string; rateMicroPerHour?: bigint; workshopId?: string } = {},
): Promise<LabRun> {
  const { isLeftRunning = false, name = `Lab ${randomUUID().slice(0, 8)}`, rateMicroPerHour = 3_600_000n } = options;
  const workshopId = options.workshopId ?? (await test.buildWorkshop({ memberId, name })).workshopId;
  const sessionId = randomUUID();
  const { metering, ledger } = test.services;
  await inTransaction(test.db, async (tx) => {
    const earlier = await tx.selectFrom('labSession').select('id').where('workshopId', '=', workshopId).execute();
    await ledger.lockWallet(tx, memberId);
    await metering.openSession(tx, {
      ...{ sessionId, workshopId, memberId, generation: earlier.length + 1, engineInstanceId: test.engine.instanceId },
      ...{ engineRef: sessionId, specId: 'cpu-1', imageId: 'shell', rateMicroPerHour, priceVersion: 1 },
    });
  });
  for (let ran = 0; ran < ms; ) {
    const step = Math.min(STEP_MS, ms - ran);
    ran += step;
    await advance(test.db, step);
    await metering.recordSightings([{ sessionId, runningMs: ran }]);
    await metering.tick();
  }
  if (!isLeftRunning) {
    const end = { sessionId, runningMs: ms, stopReason: 'MEMBER', exitCode: 0 } as const;
    await inTransaction(test.db, (tx) => metering.endSession(tx, end));
  }
  return { workshopId, sessionId };
}
