import type { WorkshopCalls } from '../../contract/workshop';
import type { WorkshopState } from '../../contract/workshopStates';
import type { TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { checkInvariants } from '../ledger/invariants';
import { engineRefOf } from './workshopStart.service';

export type WorkshopView = WorkshopCalls['GET /gateway/workshop/get']['data'];

/** Runs of the reconcile loop, one after the other, with nothing under way at the end. */
export async function pass(test: Pick<TestApp, 'services'>, times = 1): Promise<void> {
  for (let run = 0; run < times; run += 1) {
    await test.services.reconciliation.runOnce();
    await test.services.reconciliation.drain();
  }
}

export async function getView(test: TestApp, member: TestMember, workshopId: string): Promise<WorkshopView> {
  return (await test.as(member).send('GET /gateway/workshop/get', { query: { workshopId } })).data;
}

export async function stateOf(test: Pick<TestApp, 'db'>, workshopId: string): Promise<WorkshopState> {
  const row = await test.db.selectFrom('workshop').select('state').where('id', '=', workshopId).executeTakeFirstOrThrow();
  return row.state;
}

/** Reasons of the timeline, oldest first. */
export async function reasonsOf(test: Pick<TestApp, 'db'>, workshopId: string): Promise<string[]> {
  const rows = await test.db
    .selectFrom('workshopEvent')
    .select('reason')
    .where('workshopId', '=', workshopId)
    .orderBy('at')
    .orderBy('id')
    .execute();
  return rows.map((row) => row.reason);
}

export interface Lab {
  member: TestMember;
  workshopId: string;
  sessionId: string;
  ref: string;
}

/** A lab as far as `start` brings it; after two passes it is RUNNING unless the engine holds starts. */
export async function startLab(
  test: TestApp,
  options: { member?: TestMember; specId?: string; maxHours?: number; passes?: number } = {},
): Promise<Lab> {
  const { specId = 'cpu-1', maxHours, passes = 2 } = options;
  const member = options.member ?? (await test.buildMember({ levelFlag: 3 }));
  const { workshopId } = await test.buildWorkshop({ memberId: member.memberId, specId, ...(maxHours ? { maxHours } : {}) });
  const started = await test.as(member).send('POST /gateway/workshop/start', { body: { workshopId } });
  await pass(test, passes);
  return { member, workshopId, sessionId: started.data.session?.sessionId ?? '', ref: engineRefOf(workshopId, 1) };
}

/** What the books say of a session. */
export async function sessionOf(test: Pick<TestApp, 'db'>, sessionId: string) {
  return test.db.selectFrom('labSession').selectAll().where('id', '=', sessionId).executeTakeFirstOrThrow();
}

/** Every invariant of the books that is broken, with its breaches; empty is right. */
export async function brokenInvariants(test: Pick<TestApp, 'db'>): Promise<string[]> {
  const results = await checkInvariants(test.db);
  return results.filter(({ breaches }) => breaches.length > 0).map(({ name, breaches }) => `${name}: ${breaches.join(', ')}`);
}
