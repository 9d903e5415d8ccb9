import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pino from 'pino';
import { buildTestApp, type TestApp } from '../testing/buildTestApp';
import { createPurgeIdentityLoop } from './purgeIdentity';

describe('what is forgotten of members', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp();
  });
  afterAll(() => test.close());

  const purge = () => createPurgeIdentityLoop(test.services, pino({ level: 'silent' })).runOnce();
  const hash = createHash('sha256').update('x').digest();

  it('is an answer after seven days, not before', async () => {
    const { memberId } = await test.buildMember();
    for (const days of [6, 8]) {
      await sql`insert into idempotency (member_id, route, key, request_hash, created_at)
        values (${memberId}, 'POST /gateway/workshop/start', ${`key-of-day-${days}`}, ${hash}, app_now() - make_interval(days => ${days}))`.execute(
        test.db,
      );
    }

    await purge();

    expect(await test.db.selectFrom('idempotency').select('key').execute()).toEqual([{ key: 'key-of-day-6' }]);
  });

  it('is a login session 90 days after its end, while its address stays known', async () => {
    const { memberId } = await test.buildMember();
    const insert = (ip: string, daysOver: number) =>
      sql`
      insert into login_session (id, member_id, secret_hash, is_kept, ip, user_agent, created_at, expires_at)
      values (${randomUUID()}, ${memberId}, ${hash}, false, ${ip}, 'test',
        app_now() - make_interval(days => ${daysOver + 7}), app_now() - make_interval(days => ${daysOver}))`.execute(test.db);
    for (const [ip, daysOver] of [
      ['203.0.113.1', 100],
      ['203.0.113.1', 95],
      ['203.0.113.2', 100],
      ['203.0.113.2', 80],
      ['203.0.113.3', 85],
      ['203.0.113.3', 80],
    ] as const) {
      await insert(ip, daysOver);
    }

    await purge();

    const left = await sql<{ ip: string; days: number }>`
      select ip, extract(day from app_now() - expires_at)::int as days from login_session
      where member_id = ${memberId} and ip like '203.%' order by ip, days`.execute(test.db);
    expect(left.rows).toEqual([
      { ip: '203.0.113.1', days: 95 },
      { ip: '203.0.113.2', days: 80 },
      { ip: '203.0.113.3', days: 80 },
      { ip: '203.0.113.3', days: 85 },
    ]);
    expect(await test.services.loginSessions.isKnownAddress(memberId, '203.0.113.1')).toBe(true);
  });
});
