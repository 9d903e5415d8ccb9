import pino from 'pino';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import { advance, clockOf } from '../../testing/testDatabase';
import { createEngineInstanceService } from '../workshop/engineInstance.service';
import { brokenInvariants, getView, pass, reasonsOf, sessionOf, startLab, stateOf } from '../workshop/testbed';
import { createWorkshopStateService } from '../workshop/workshopState.service';
import { createReconcileService } from './reconcile.service';

const MINUTE = 60_000;

describe('two gateways on one database', () => {
  let first: TestApp;
  let second: TestApp;
  beforeEach(async () => {
    first = await buildTestApp();
    second = await buildTestApp({ url: first.url });
    await move(0);
  });
  afterEach(async () => {
    expect(await brokenInvariants(first)).toEqual([]);
    await second.close();
    await first.close();
  });

  async function move(ms: number): Promise<void> {
    clockOf(second.db).set(await advance(first.db, ms));
  }

  it('drive each only the labs of their own engine, and charge every millisecond once', async () => {
    const member = await first.buildMember({ levelFlag: 3 });
    const one = await startLab(first, { member });
    const two = await startLab(second, { member });

    for (let minute = 0; minute < 12; minute += 3) {
      await move(3 * MINUTE);
      await Promise.all([pass(first), pass(second)]);
      await Promise.all([first.services.metering.tick(), second.services.metering.tick()]);
      await Promise.all([pass(first), pass(second)]);
    }

    expect(first.engine.simulate.startCount()).toBe(1);
    expect(second.engine.simulate.startCount()).toBe(1);
    expect((await first.engine.list()).labs.map((lab) => lab.workshopId)).toEqual([one.workshopId]);
    expect((await second.engine.list()).labs.map((lab) => lab.workshopId)).toEqual([two.workshopId]);
    for (const lab of [one, two]) {
      const { observedMs } = await sessionOf(first, lab.sessionId);
      expect(observedMs).toBe(BigInt(12 * MINUTE));
      expect(await stateOf(first, lab.workshopId)).toBe('RUNNING');
    }
    const balance = await second.as(member).send('GET /gateway/account/remainDcu');
    // Two labs of 0.5 DCU an hour for twelve minutes.
    expect(balance.data.remainDcu).toBe(99.8);
  });

  it('stop through either, by the gateway the lab lives at', async () => {
    const lab = await startLab(first);

    await second.as(lab.member).send('POST /gateway/workshop/stop', { body: { workshopId: lab.workshopId } });
    await pass(second, 3);
    expect(await stateOf(first, lab.workshopId)).toBe('STOPPING');
    await pass(first, 2);

    expect(await stateOf(first, lab.workshopId)).toBe('STOPPED');
  });

  it('refuse a terminal of a lab that lives at the other', async () => {
    const { member, workshopId } = await startLab(first);

    const reply = await second.as(member).send('POST /gateway/workshop/terminal', { body: { workshopId } });

    expect(reply).toFailWith('ENGINE_ELSEWHERE');
  });

  it('show a lab as lost when its gateway has been silent for a minute, and find it when that is back', async () => {
    const lab = await startLab(first);
    await pass(second);
    await move(50_000);
    await pass(second);
    expect(await stateOf(first, lab.workshopId)).toBe('RUNNING');

    await move(11_000);
    await pass(second);
    expect(await stateOf(first, lab.workshopId)).toBe('LOST');
    expect((await second.engine.list()).labs).toEqual([]);

    await pass(first);
    expect(await stateOf(first, lab.workshopId)).toBe('RUNNING');
    expect((await reasonsOf(first, lab.workshopId)).slice(-2)).toEqual(['ENGINE_UNREACHABLE', 'SEEN_AGAIN']);
  });

  it('say once, not each second, that an engine has a lab whose open session is another’s, and leave it alone', async () => {
    const lab = await startLab(first);
    const { ref, sessionId, workshopId, member } = lab;
    const limits = { cpuCores: 1, memoryBytes: 1e9, diskBytes: 1e9, processes: 64, hostname: 'lab', leaseLimitMs: 10 * MINUTE };
    const nothing = { env: {}, mounts: [], network: 'none' } as const;
    const image = { imageId: 'shell', reference: null, commands: ['bash'] };
    const whose = { memberId: member.memberId, installationId: second.installation.id };
    await second.engine.ensureStarted({ ref, sessionId, workshopId, image, ...whose, ...limits, ...nothing });
    const lines: string[] = [];
    const { ledger, metering, membership, pointsActions, labOutputs } = second.services;
    const neighbours = { wallets: ledger, meter: metering, memberships: membership, tasks: pointsActions, outputs: labOutputs };
    const reconciliation = createReconcileService({
      ...{ ...second, ...second.services, ...neighbours },
      installationId: second.installation.id,
      states: createWorkshopStateService(),
      instances: createEngineInstanceService(second),
      log: pino({ level: 'error' }, { write: (line: string) => lines.push(line) }),
    });

    for (let turn = 0; turn < 3; turn += 1) await reconciliation.runOnce();
    await reconciliation.drain();

    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ ref, msg: 'a lab of an open session that is not ours to drive' }),
    ]);
    expect((await second.engine.list()).labs).toContainEqual(expect.objectContaining({ ref, state: 'running' }));
  });

  it('say what a deleted workshop of a dead gateway waits for, free its name at once, and delete it when that is back', async () => {
    const member = await first.buildMember();
    const { workshopId } = await first.buildWorkshop({ memberId: member.memberId, name: 'Mine' });
    await second.as(member).send('POST /gateway/workshop/delete', { body: { workshopId } });
    await first.buildWorkshop({ memberId: member.memberId, name: 'mine' });

    await pass(second);
    await move(61_000);
    await pass(second);

    expect(await getView(second, member, workshopId)).toMatchObject({
      state: 'DELETING',
      stateReason: 'Waiting for the compute engine, which does not answer.',
    });
    await pass(first, 2);
    expect(await stateOf(first, workshopId)).toBe('DELETED');
  });

  it('let a loop with an old picture change nothing', async () => {
    const lab = await startLab(first);
    const held = jest.spyOn(first.engine, 'list');
    const old = await first.engine.list();
    first.engine.simulate.endLab(lab.ref, 'exited', 0);
    await pass(first);
    expect(await stateOf(first, lab.workshopId)).toBe('STOPPED');
    await first.as(lab.member).send('POST /gateway/workshop/start', { body: { workshopId: lab.workshopId } });

    held.mockResolvedValueOnce(old);
    await pass(first);
    expect(await stateOf(first, lab.workshopId)).toBe('QUEUED');
    await pass(first, 2);

    expect(await stateOf(first, lab.workshopId)).toBe('RUNNING');
    expect(await sessionOf(first, lab.sessionId)).toMatchObject({ stopReason: 'EXITED', exitCode: 0 });
  });
});
