import pino from 'pino';
import type { ComputeEngine } from '../../drivers/compute/computeEngine';
import { createServices } from '../../services';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import { advance } from '../../testing/testDatabase';
import { brokenInvariants, getView, pass, startLab, stateOf } from '../workshop/testbed';

const MINUTE = 60_000;
type Call = 'ensureStarted' | 'stop' | 'forget' | 'deleteHome' | 'extendLease' | 'list';

/** The engine, with one call that dies once, before or after the engine did it, as a gateway would that is killed there. */
function dyingOnce(engine: ComputeEngine, call: Call, when: 'before' | 'after'): ComputeEngine {
  let isDue = true;
  return new Proxy(engine, {
    get(target, name, receiver) {
      const own: unknown = Reflect.get(target, name, receiver);
      if (name !== call || typeof own !== 'function') return own;
      return async (...args: unknown[]) => {
        const dies = isDue;
        isDue = false;
        if (dies && when === 'before') throw new Error(`died before ${call}`);
        const answer: unknown = await Reflect.apply(own, target, args);
        if (dies) throw new Error(`died after ${call}`);
        return answer;
      };
    },
  });
}

describe('a gateway that dies in the middle of a step', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await buildTestApp();
    await advance(test.db, 0);
  });
  afterEach(async () => {
    expect(await brokenInvariants(test)).toEqual([]);
    await test.close();
  });

  /** A gateway of its own on the same database and engine; the loop of a new one begins where the dead one left off. */
  const gatewayWith = (engine: ComputeEngine) => ({ services: createServices({ ...test, engine }, pino({ level: 'silent' })) });
  /** The listing may die too, and then the pass does. */
  const dyingPass = async (dying: { services: TestApp['services'] }) => {
    await pass(dying).catch((error: Error) => expect(error.message).toMatch(/^died/));
  };

  const points = (['ensureStarted', 'stop', 'forget', 'deleteHome', 'extendLease', 'list'] as const).flatMap((call) =>
    (['before', 'after'] as const).map((when) => [call, when] as const),
  );
  it.each(points)('at %s, %s it: the next one finds the truth again', async (call, when) => {
    const { member, workshopId } = await startLab(test, { passes: 0 });
    const dying = gatewayWith(dyingOnce(test.engine, call, when));
    const send = (key: 'POST /gateway/workshop/stop' | 'POST /gateway/workshop/delete') =>
      test.as(member).send(key, { body: { workshopId } });

    await dyingPass(dying);
    await pass(gatewayWith(test.engine), 2);
    expect(await stateOf(test, workshopId)).toBe('RUNNING');
    await advance(test.db, 6 * MINUTE);
    await pass(test);
    await test.services.metering.tick();
    await dyingPass(dying);
    await pass(gatewayWith(test.engine));
    await advance(test.db, 6 * MINUTE);
    await pass(gatewayWith(test.engine));
    await send('POST /gateway/workshop/stop');
    await dyingPass(dying);
    await dyingPass(dying);
    await pass(gatewayWith(test.engine), 2);

    const stopped = await getView(test, member, workshopId);
    expect(stopped).toMatchObject({
      state: 'STOPPED',
      lastSession: { stopReason: 'MEMBER', runningMs: 12 * MINUTE, costDcu: 0.1 },
    });
    expect(test.engine.simulate.startCount()).toBe(1);
    expect((await test.engine.list()).labs).toEqual([]);

    await send('POST /gateway/workshop/delete');
    await dyingPass(dying);
    await pass(gatewayWith(test.engine));
    expect(await stateOf(test, workshopId)).toBe('DELETED');
  });

  it('between what the database and what the engine knows, starts the lab once', async () => {
    const { member, workshopId } = await startLab(test, { passes: 0 });
    const dying = gatewayWith(dyingOnce(test.engine, 'ensureStarted', 'before'));
    await pass(dying);
    expect(await stateOf(test, workshopId)).toBe('STARTING');

    await test.as(member).send('POST /gateway/workshop/stop', { body: { workshopId } });
    await pass(gatewayWith(test.engine), 1);
    expect(await stateOf(test, workshopId)).toBe('STOPPING');
    const next = gatewayWith(test.engine);
    await pass(next, 2);

    expect(await getView(test, member, workshopId)).toMatchObject({ state: 'STOPPED', lastSession: { costDcu: 0 } });
    expect(test.engine.simulate.startCount()).toBe(0);
  });
});
