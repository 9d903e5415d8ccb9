import pino from 'pino';
import { buildApp } from '../../app';
import { waitUntil } from '../../drivers/compute/testing/labFixtures';
import { openProcessFixture, type ProcessFixture } from '../../drivers/compute/testing/processFixture';
import { createReconcileLoop } from '../../jobs/reconcileWorkshops';
import { createServices } from '../../services';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { createTestClient } from '../../testing/testClient';
import { cookieOf, openTab, takeTicket } from './terminalClient';
import { brokenInvariants, type WorkshopView } from './testbed';

const START_MS = 20_000;

describe('a workshop on the process engine', () => {
  let base: TestApp;
  let fixture: ProcessFixture;
  let gateway: Pick<TestApp, 'app' | 'as'>;
  let loop: ReturnType<typeof createReconcileLoop>;
  let member: TestMember;
  beforeAll(async () => {
    base = await buildTestApp();
    fixture = await openProcessFixture();
    const deps = { ...base, engine: fixture.engine };
    const log = pino({ level: 'silent' });
    const services = createServices(deps, log);
    const app = await buildApp(deps, services, log);
    gateway = { app, as: (who) => createTestClient(app, who ? { cookie: cookieOf(who) } : {}) };
    loop = createReconcileLoop({ ...deps, ...services, log });
    loop.start();
    member = await base.buildMember({ levelFlag: 1 });
  }, START_MS);
  afterAll(async () => {
    await loop.stop();
    await gateway.app.close();
    await fixture.close();
    await base.close();
  }, START_MS);

  async function until(workshopId: string, state: WorkshopView['state']): Promise<WorkshopView> {
    const look = async () => (await gateway.as(member).send('GET /gateway/workshop/get', { query: { workshopId } })).data;
    let view = await look();
    await waitUntil(
      async () => {
        view = await look();
        return view.state === state;
      },
      START_MS,
      () => `the workshop did not get ${state}; it is ${JSON.stringify(view)}`,
    );
    return view;
  }

  async function type(workshopId: string, line: string, wanted: string): Promise<void> {
    const { ticket } = await takeTicket(gateway, member, workshopId);
    const tab = await openTab(gateway, { cookie: cookieOf(member), ticket });
    await tab.printed('$ ');
    tab.socket.send(Buffer.from(`${line}\r`));
    await tab.printed(wanted);
    tab.socket.close();
    await tab.closed;
  }

  it('is made, runs, keeps its files over a stop and a start, and is paid for what it ran', async () => {
    const body = { name: 'Real', specId: 'cpu-half', imageId: 'shell', startNow: true };
    const { workshopId } = (await gateway.as(member).send('POST /gateway/workshop/create', { body })).data;
    const startedMs = performance.now();
    await until(workshopId, 'RUNNING');
    expect(performance.now() - startedMs).toBeLessThan(3_000);
    await type(workshopId, 'echo $((6*7)); echo kept > note.txt; sync; echo written', '42');
    await type(workshopId, 'until [ -s note.txt ]; do :; done; echo "<$(cat note.txt)>"', '<kept>');

    await gateway.as(member).send('POST /gateway/workshop/stop', { body: { workshopId } });
    const stopped = await until(workshopId, 'STOPPED');
    expect(stopped.lastSession).toMatchObject({ stopReason: 'MEMBER' });
    expect(stopped.lastSession?.runningMs).toBeGreaterThan(0);
    await waitUntil(
      async () => (await fixture.engine.list()).labs.length === 0,
      START_MS,
      () => 'the engine was not told to forget the lab',
    );

    await gateway.as(member).send('POST /gateway/workshop/start', { body: { workshopId } });
    await until(workshopId, 'RUNNING');
    await type(workshopId, 'echo "[$(cat note.txt)]"', '[kept]');
    await gateway.as(member).send('POST /gateway/workshop/stop', { body: { workshopId } });
    const last = await until(workshopId, 'STOPPED');

    const { remainDcu } = (await gateway.as(member).send('GET /gateway/account/remainDcu')).data;
    expect(Math.round((100 - remainDcu) * 1e6)).toBe(Math.round(last.totalCostDcu * 1e6));
    await gateway.as(member).send('POST /gateway/workshop/delete', { body: { workshopId } });
    await waitUntil(
      async () => (await gateway.as(member).send('GET /gateway/workshop/page')).data.total === 0,
      START_MS,
      () => 'the workshop was not deleted',
    );
    expect(await brokenInvariants(base)).toEqual([]);
  }, 60_000);
});
