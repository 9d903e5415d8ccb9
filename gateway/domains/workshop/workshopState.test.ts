import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { actionTable, eventReasons, transitionTable, workshopStates } from '../../contract/workshopStates';
import { inTransaction } from '../../db/client';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import { stateOf } from './testbed';
import { createWorkshopStateService } from './workshopState.service';

describe('the state of a workshop', () => {
  let test: TestApp;
  let workshopId: string;
  const states = createWorkshopStateService();
  beforeAll(async () => {
    test = await buildTestApp();
  });
  beforeEach(async () => {
    const { memberId } = await test.buildMember();
    workshopId = (await test.buildWorkshop({ memberId })).workshopId;
  });
  afterAll(() => test.close());

  const move = (change: { from: 'STOPPED' | 'DELETING'; to: 'QUEUED' | 'RUNNING' | 'DELETING'; generation?: number }) =>
    inTransaction(test.db, (tx) =>
      states.move(tx, { workshopId, sessionId: null, generation: 0, reason: 'START_REQUESTED', actor: 'member', ...change }),
    );

  it('moves in the database along the very table that gateway and buttons follow', async () => {
    const { rows } = await sql<{
      fromState: string;
      toState: string;
    }>`select from_state, to_state from workshop_transition`.execute(test.db);

    const written = rows.map(({ fromState, toState }) => `${fromState} ${toState}`).sort();
    const declared = workshopStates.flatMap((from) => transitionTable[from].map((to) => `${from} ${to}`)).sort();
    expect(written).toEqual(declared);
  });

  it('cannot be written off the table, nor begin elsewhere', async () => {
    await expect(sql`update workshop set state = 'RUNNING' where id = ${workshopId}`.execute(test.db)).rejects.toThrow(
      'a workshop cannot go from STOPPED to RUNNING',
    );
    await expect(
      sql`insert into workshop (id, member_id, name, spec_id, image_id, engine_instance_id, state)
        select ${uuidv7()}, member_id, 'other', spec_id, image_id, engine_instance_id, 'RUNNING' from workshop where id = ${workshopId}`.execute(
        test.db,
      ),
    ).rejects.toThrow('a workshop begins STOPPED');
    await expect(move({ from: 'STOPPED', to: 'RUNNING' })).rejects.toThrow(RangeError);
  });

  it('moves only from where it was seen and in the run it was seen in', async () => {
    expect(await move({ from: 'STOPPED', to: 'QUEUED', generation: 1 })).toBe(false);
    expect(await stateOf(test, workshopId)).toBe('STOPPED');
    const moved = await Promise.all(Array.from({ length: 8 }, () => move({ from: 'STOPPED', to: 'DELETING' })));

    expect(moved.filter(Boolean)).toHaveLength(1);
    const events = await test.db.selectFrom('workshopEvent').select('id').where('workshopId', '=', workshopId).execute();
    expect(events).toHaveLength(1);
  });

  it('names every reason once, and starts and stops agree with the transitions', () => {
    expect(new Set(eventReasons).size).toBe(eventReasons.length);
    for (const state of workshopStates) {
      if (actionTable[state].includes('start')) expect(transitionTable[state]).toContain('QUEUED');
      if (actionTable[state].includes('stop'))
        expect(transitionTable[state].some((to) => to === 'STOPPING' || to === 'STOPPED')).toBe(true);
    }
  });
});
