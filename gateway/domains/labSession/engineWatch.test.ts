import pino from 'pino';
import { type ComputeEngine, EngineUnreachable, type Observed } from '../../drivers/compute/computeEngine';
import { createEngineWatch } from './engineWatch';

const ours = 'installation-1';
const lab = (sessionId: string, change: Partial<Observed> = {}): Observed => ({
  ...{ ref: `ref-${sessionId}`, sessionId, workshopId: 'w', installationId: ours, state: 'running', runningMs: 1 },
  ...{ leaseLimitMs: 2, endReason: null, exitCode: null, progress: null, detail: '' },
  ...change,
});

type Answer = Partial<{ labs: Observed[]; instanceId: string; isHealthy: boolean; error: Error }>;

/** A watch whose engine gives these answers, one a look, and whose clock moves a second between them. */
function watchOf(answers: Answer[]) {
  let nowMs = 0;
  let answer: Answer = {};
  const engine: Pick<ComputeEngine, 'instanceId' | 'list' | 'health'> = {
    instanceId: 'mine',
    list: async () => {
      if (answer.error) throw answer.error;
      return { instanceId: answer.instanceId ?? 'mine', labs: answer.labs ?? [] };
    },
    health: async () => ({ isHealthy: answer.isHealthy ?? true, detail: 'as told' }),
  };
  const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs };
  const watch = createEngineWatch({ engine, installationId: ours, clock, log: pino({ level: 'silent' }) });
  const looks = async () => {
    const seen = [];
    for (answer of answers) {
      nowMs += 1_000;
      const look = await watch.look();
      seen.push({ look, evidence: watch.evidenceOn(look, 'w', 's') });
    }
    return seen;
  };
  return { looks };
}

const unreachable = { error: new EngineUnreachable('gone') };
const present = { labs: [lab('s')] };

/** `seen`, `absent:<n>` or `silent:<seconds>` for each look. */
async function wordsOf(answers: Answer[]): Promise<string[]> {
  return (await watchOf(answers).looks()).map(({ evidence }) => {
    if (evidence.kind === 'none') return `silent:${evidence.silentMs / 1_000}`;
    return evidence.lab ? 'seen' : `absent:${evidence.absences}`;
  });
}

describe('a look at the engine', () => {
  it.each<[string, Answer[], string[]]>([
    ['sees what is listed', [present, present], ['seen', 'seen']],
    ['counts absences', [present, {}, {}], ['seen', 'absent:1', 'absent:2']],
    ['forgets an absence when the lab is back', [{}, present, {}], ['absent:1', 'seen', 'absent:1']],
    ['takes no evidence from silence', [{}, unreachable, unreachable, {}], ['absent:1', 'silent:0', 'silent:1', 'absent:2']],
    ['nor from another instance', [{ instanceId: 'other' }, { ...present, instanceId: 'other' }], ['silent:0', 'silent:1']],
    ['nor from an unhealthy engine', [{ isHealthy: false }, { ...present, isHealthy: false }], ['silent:0', 'silent:1']],
    [
      'counts silence from its first moment',
      [unreachable, { isHealthy: false }, unreachable],
      ['silent:0', 'silent:1', 'silent:2'],
    ],
    ['and anew after an answer', [unreachable, unreachable, present, unreachable], ['silent:0', 'silent:1', 'seen', 'silent:0']],
    ['passes foreign installations over', [{ labs: [lab('s', { installationId: 'foreign' })] }], ['absent:1']],
  ])('%s', async (_title, answers, words) => {
    expect(await wordsOf(answers)).toEqual(words);
  });

  it('finds another run in the same home, and not one that has ended', async () => {
    const busy = async (other: Observed) => (await watchOf([{ labs: [other] }]).looks())[0]?.evidence;

    expect(await busy(lab('other'))).toMatchObject({ isHomeBusy: true });
    expect(await busy(lab('other', { state: 'ended' }))).toMatchObject({ isHomeBusy: false });
    expect(await busy(lab('other', { workshopId: 'another' }))).toMatchObject({ isHomeBusy: false });
    expect(await busy(lab('s'))).toMatchObject({ isHomeBusy: false });
  });

  it('lets an error of ours through', async () => {
    await expect(watchOf([{ error: new TypeError('a bug') }]).looks()).rejects.toThrow('a bug');
  });
});
