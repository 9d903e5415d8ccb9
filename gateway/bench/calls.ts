import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { type CompiledQuery, sql } from 'kysely';
import type { Db } from '../db/client';
import { findWorkshopRow, pageWorkshopRows } from '../domains/workshop/workshopView.repository';
import { startChild } from '../testing/childProcess';
import { buildMember, buildWorkshop, type TestMember } from '../testing/factories';
import { startGatewayProcess } from '../testing/gatewayProcess';
import { fillDatabase, onBenchServer } from './benchDatabase';
import { captured } from './capturedQuery';
import { type BenchRun, median, rounded, runBench } from './finding';

const WORKSHOPS = 12;
const SESSIONS_EACH = 5;
/** What JupyterHub 3.0 reached with `GET /hub/api/users/:name`, 16 clients, 2 cores. */
const JUPYTERHUB_PER_SECOND = 429;

interface Target {
  url: string;
  headers?: Record<string, string>;
}

/** Authenticated calls of the built gateway beside a bare Fastify route that runs the call's own SQL, turn by turn. */
async function measureCalls(run: BenchRun): Promise<void> {
  await onBenchServer(async (server) => {
    const url = await server.createDatabase('calls');
    let member: TestMember | null = null;
    let workshopId = '';
    await fillDatabase(url, async (db) => {
      member = await buildMember(db, {});
      workshopId = await fillShelf(db, member.memberId);
    });
    if (!member) return;
    const { memberId, loginSessionId, loginSecret }: TestMember = member;
    const gateway = await startGatewayProcess(join(server.folder, 'data'), {
      entry: 'build/gateway/main.js',
      env: { DATABASE_URL: url, REQUESTS_PER_SECOND: '0', NODE_ENV: 'development' },
    });
    const headers = { cookie: `sessionId=${loginSessionId}; atelier=${loginSecret}` };
    const page = await captured(url, (db) =>
      pageWorkshopRows(db, { memberId, sortField: 'createdAt', sortOrder: 'descend', limit: 10, offset: 0 }),
    );
    const get = await captured(url, (db) => findWorkshopRow(db, memberId, workshopId));
    const ofGateway = (path: string): Target => ({ url: `${gateway.origin}${path}`, headers });
    const pageRate = await compare(run, url, page, ofGateway('/gateway/workshop/page'));
    run.report({
      ...{ what: 'workshop/page, signed in, 16 clients', measured: pageRate.ours, unit: '1/s' },
      ...{ base: { name: 'bare Fastify route, same SQL', value: pageRate.bare }, budget: { atLeast: 0.6 } },
    });
    const getRate = await compare(run, url, get, ofGateway(`/gateway/workshop/get?workshopId=${workshopId}`));
    run.report({
      ...{ what: 'workshop/get, signed in, 16 clients', measured: getRate.ours, unit: '1/s' },
      ...{ base: { name: 'JupyterHub 3.0 GET user (published)', value: JUPYTERHUB_PER_SECOND }, budget: { atLeast: 8 } },
    });
    run.report({
      ...{ what: 'workshop/get beside a bare route', measured: getRate.ours, unit: '1/s' },
      base: { name: 'bare Fastify route, same SQL', value: getRate.bare },
    });
    await gateway.end('SIGTERM');
  });
}

/** A member's workshops as they are after a while: stopped, each with sessions behind it. */
async function fillShelf(db: Db, memberId: string): Promise<string> {
  const engineInstanceId = randomUUID();
  let workshopId = '';
  for (let n = 0; n < WORKSHOPS; n += 1) {
    ({ workshopId } = await buildWorkshop(db, { memberId, engineInstanceId, name: `Course ${n}` }));
    await sql`
      insert into lab_session (id, workshop_id, member_id, generation, engine_instance_id, spec_id, image_id, queued_at, started_at, ended_at,
        stop_reason, rate_micro_per_hour, price_version, price_fixed_until, observed_ms, lease_limit_ms, held_micro, charged_micro)
      select gen_random_uuid(), ${workshopId}::uuid, ${memberId}::uuid, n, ${engineInstanceId}::uuid, 'cpu-half', 'shell', app_now() - n * interval '1 day',
        app_now() - n * interval '1 day', app_now() - n * interval '23 hours', 'MEMBER', 500000, 1, app_now(), 3600000, 3600000, 0, 500000
      from generate_series(1, ${SESSIONS_EACH}::int) n`.execute(db);
  }
  return workshopId;
}

/** Requests a second of both, in turns, so that whatever else loads the machine loads both alike. */
async function compare(run: BenchRun, url: string, query: CompiledQuery, ours: Target): Promise<{ ours: number; bare: number }> {
  const bareServer = startChild('gateway/bench/bareServer.ts', {}, [url, query.sql, JSON.stringify(query.parameters)]);
  const [, origin = ''] = await bareServer.line(/^bare on (\S+)$/);
  const bare: Target = { url: `${origin}/rows` };
  await shoot(ours, 2);
  await shoot(bare, 2);
  const rates: { ours: number; bare: number }[] = [];
  for (let turn = 0; turn < (run.isQuick ? 2 : 5); turn += 1)
    rates.push({ ours: await shoot(ours, 3), bare: await shoot(bare, 3) });
  await bareServer.end('SIGTERM');
  return { ours: rounded(median(rates.map((rate) => rate.ours))), bare: rounded(median(rates.map((rate) => rate.bare))) };
}

async function shoot({ url, headers = {} }: Target, seconds: number): Promise<number> {
  const result = await autocannon({ url, headers, connections: 16, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url} answered ${result.non2xx} requests with something else`);
  return result.requests.total / result.duration;
}

runBench(measureCalls);
