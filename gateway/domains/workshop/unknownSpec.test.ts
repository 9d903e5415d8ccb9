import { sql } from 'kysely';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import { advance } from '../../testing/testDatabase';
import { pass, startLab } from './testbed';

describe('a running lab of a size that the catalogue no longer knows', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await buildTestApp();
  });
  afterEach(() => test.close());

  it('does not keep its member from starting another, nor the others from being sampled', async () => {
    await advance(test.db, 0);
    const { sessionId, member } = await startLab(test);
    await startLab(test);
    await sql`update lab_session set spec_id = 'gone' where id = ${sessionId}`.execute(test.db);
    await startLab(test, { member });
    await pass(test);
    await test.services.workshopMetrics.sample();
    await advance(test.db, 30_000);
    await pass(test);
    expect(await test.services.workshopMetrics.sample()).toBe(2);
  });
});
