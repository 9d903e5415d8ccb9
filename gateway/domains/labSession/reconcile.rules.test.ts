import { transitionTable, type WorkshopState, workshopStates } from '../../contract/workshopStates';
import type { EndReason, Observed } from '../../drivers/compute/computeEngine';
import { type Evidence, nextStep, outcomeOf, type Step, timeoutsMs, type Wish } from './reconcile.rules';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const session = { observedMs: 5_000, maxHours: null, extendedMs: 0, levelMaxHours: 24, idleMinutes: null, idleMs: 0 };
const wish = (state: WorkshopState, change: Partial<Wish> = {}): Wish => ({
  ...{ state, stateReason: '', stateAgeMs: 1_000, desired: 'running', session },
  ...change,
});
const lab = (change: Partial<Observed> = {}): Observed => ({
  ...{ ref: 'ws-1-g1', sessionId: 's', workshopId: 'w', installationId: 'i', state: 'running', runningMs: 6_000 },
  ...{ leaseLimitMs: 600_000, endReason: null, exitCode: null, progress: null, detail: '' },
  ...change,
});
const listed = (change: Partial<Observed> = {}): Evidence => ({
  kind: 'listing',
  lab: lab(change),
  absences: 0,
  isHomeBusy: false,
});
const absent = (absences: number, isHomeBusy = false): Evidence => ({ kind: 'listing', lab: null, absences, isHomeBusy });
const silent = (silentMs: number): Evidence => ({ kind: 'none', silentMs });
const unseen = { session: { ...session, observedMs: 0 } };
const stopping = (stateReason: string, change: Partial<Wish> = {}) =>
  wish('STOPPING', { desired: 'stopped', stateReason, ...change });

/** `end:STOPPED:MEMBER`, `stop:forced` …: a step in a word. */
function worded(step: Step): string {
  switch (step.do) {
    case 'see':
      return `see:${step.to}${step.isBack ? ':back' : ''}`;
    case 'beginStop':
    case 'wait':
      return `${step.do}:${step.reason}`;
    case 'stop':
      return step.isForced ? 'stop:forced' : 'stop';
    case 'warn':
      return `warn:${step.warnings.map(({ cause }) => cause).join('+')}`;
    case 'end':
      return `end:${step.outcome.to}:${step.outcome.stopReason}`;
    default:
      return step.do;
  }
}

describe('a stop nobody or its member asked for', () => {
  const running = (change: Partial<NonNullable<Wish['session']>>) => wish('RUNNING', { session: { ...session, ...change } });
  const idle = { idleMinutes: 30 };

  it.each<[string, Wish, Evidence, string]>([
    ['leaves a lab alone that is in use', running({ ...idle, idleMs: 19 * MINUTE }), listed(), 'nothing'],
    ['warns ten minutes before an idle lab stops', running({ ...idle, idleMs: 20 * MINUTE }), listed(), 'warn:IDLE'],
    ['stops an idle lab', running({ ...idle, idleMs: 30 * MINUTE }), listed(), 'beginStop:IDLE'],
    ['knows no idleness without a limit', running({ idleMs: 99 * HOUR }), listed(), 'nothing'],
    ['knows none before it was seen', running({ ...idle, idleMs: null }), listed(), 'nothing'],
    ['knows none while the engine is silent', running({ ...idle, idleMs: 31 * MINUTE }), silent(9_000), 'nothing'],
    [
      'warns of both limits that are near',
      running({ ...idle, idleMs: 25 * MINUTE, maxHours: 1 }),
      listed({ runningMs: 55 * MINUTE }),
      'warn:MAX_HOURS+IDLE',
    ],
    [
      'lets run on for the hours that were added',
      running({ maxHours: 1, extendedMs: HOUR }),
      listed({ runningMs: HOUR }),
      'nothing',
    ],
    [
      'stops once they are over',
      running({ maxHours: 1, extendedMs: HOUR }),
      listed({ runningMs: 2 * HOUR }),
      'beginStop:MAX_HOURS',
    ],

    ['ends without grace what is forced', stopping('FORCED'), listed(), 'stop:forced'],
    ['forces also what is stopping already', stopping('FORCED'), listed({ state: 'stopping' }), 'stop:forced'],
    ['ends what was forced as forced', stopping('FORCED'), listed({ state: 'ended', endReason: 'stopped' }), 'end:STOPPED:FORCED'],
    ['ends an idle lab as idle', stopping('IDLE'), listed({ state: 'ended', endReason: 'stopped' }), 'end:STOPPED:IDLE'],
    ['ends a cancelled start as cancelled', stopping('CANCELLED'), absent(2), 'end:STOPPED:CANCELLED'],
    [
      'does not blame a start that failed while it was cancelled',
      stopping('CANCELLED'),
      listed({ state: 'ended', endReason: 'image_unavailable' }),
      'end:STOPPED:CANCELLED',
    ],
    [
      'still tells what a lab died of while it was stopped',
      stopping('MEMBER'),
      listed({ state: 'ended', endReason: 'out_of_memory' }),
      'end:FAILED:OUT_OF_MEMORY',
    ],
  ])('%s', (_what, seen, evidence, expected) => {
    expect(worded(nextStep(seen, evidence))).toBe(expected);
  });
});

describe('a step of reconciliation', () => {
  it.each<[string, Wish, Evidence, string]>([
    ['launches what is queued', wish('QUEUED', unseen), absent(1), 'launch'],
    ['launches however often it was absent', wish('QUEUED', unseen), absent(9), 'launch'],
    ['waits while an earlier run is in the home', wish('QUEUED', unseen), absent(1, true), 'wait:WAITS_FOR_EARLIER_RUN'],
    ['says so once', wish('QUEUED', { ...unseen, stateReason: 'WAITS_FOR_EARLIER_RUN' }), absent(1, true), 'nothing'],
    [
      'ends what is queued and no longer wished',
      wish('QUEUED', { ...unseen, desired: 'stopped' }),
      absent(1),
      'end:STOPPED:MEMBER',
    ],

    ['launches again what the engine never got', wish('STARTING', unseen), absent(2), 'launchAgain'],
    [
      'gives up a start after two minutes',
      wish('STARTING', { ...unseen, stateAgeMs: 2 * MINUTE + 1 }),
      absent(2),
      'end:FAILED:START_TIMEOUT',
    ],
    ['gives a pull half an hour', wish('PULLING', { ...unseen, stateAgeMs: 29 * MINUTE }), absent(2), 'launchAgain'],
    ['and no more', wish('PULLING', { ...unseen, stateAgeMs: 31 * MINUTE }), absent(2), 'end:FAILED:START_TIMEOUT'],
    ['waits for a lab that is starting', wish('STARTING', unseen), listed({ state: 'starting', runningMs: 0 }), 'nothing'],
    [
      'stops a lab that starts for too long',
      wish('STARTING', { stateAgeMs: 3 * MINUTE }),
      listed({ state: 'starting' }),
      'beginStop:START_TIMEOUT',
    ],
    ['sees an image fetched', wish('QUEUED', unseen), listed({ state: 'pulling', runningMs: 0 }), 'see:PULLING'],
    ['leaves in the queue what the engine queued', wish('QUEUED', unseen), listed({ state: 'queued', runningMs: 0 }), 'nothing'],
    ['waits while it is fetched', wish('PULLING', unseen), listed({ state: 'pulling', runningMs: 0 }), 'nothing'],
    [
      'stops a fetch that takes too long',
      wish('PULLING', { ...unseen, stateAgeMs: 31 * MINUTE }),
      listed({ state: 'pulling' }),
      'beginStop:START_TIMEOUT',
    ],
    ['sees it start once fetched', wish('PULLING', unseen), listed({ state: 'starting', runningMs: 0 }), 'see:STARTING'],
    ['never goes back to fetching', wish('STARTING', unseen), listed({ state: 'pulling', runningMs: 0 }), 'nothing'],
    ['finds a lost one that still fetches', wish('LOST', unseen), listed({ state: 'pulling' }), 'see:STARTING:back'],
    [
      'ends one without its image',
      wish('PULLING', unseen),
      listed({ state: 'ended', endReason: 'image_unavailable' }),
      'end:FAILED:START_FAILED',
    ],
    ['sees it run', wish('STARTING', unseen), listed(), 'see:RUNNING'],

    ['adopts a running lab', wish('RUNNING'), listed(), 'nothing'],
    ['believes nothing after one absence', wish('RUNNING'), absent(1), 'nothing'],
    ['believes it gone after two', wish('RUNNING'), absent(2), 'end:FAILED:VANISHED'],
    ['notices that the engine stops it at its lease', wish('RUNNING'), listed({ state: 'stopping' }), 'beginStop:LEASE'],
    [
      'warns ten minutes before the level’s hours',
      wish('RUNNING'),
      listed({ runningMs: 24 * HOUR - 10 * MINUTE }),
      'warn:LEVEL_MAX_HOURS',
    ],
    ['not earlier', wish('RUNNING'), listed({ runningMs: 24 * HOUR - 10 * MINUTE - 1 }), 'nothing'],
    ['stops at the level’s hours', wish('RUNNING'), listed({ runningMs: 24 * HOUR }), 'beginStop:LEVEL_MAX_HOURS'],
    [
      'stops at the member’s hours',
      wish('RUNNING', { session: { ...session, maxHours: 2 } }),
      listed({ runningMs: 2 * HOUR }),
      'beginStop:MAX_HOURS',
    ],
    [
      'lets the level’s hours win',
      wish('RUNNING', { session: { ...session, maxHours: 48 } }),
      listed({ runningMs: 24 * HOUR }),
      'beginStop:LEVEL_MAX_HOURS',
    ],

    ['asks a lab to stop', stopping('MEMBER'), listed(), 'stop'],
    ['leaves it time to', stopping('MEMBER'), listed({ state: 'stopping' }), 'nothing'],
    [
      'forces it after two minutes',
      stopping('MEMBER', { stateAgeMs: 2 * MINUTE + 1 }),
      listed({ state: 'stopping' }),
      'stop:forced',
    ],
    ['writes down a wish it finds', wish('RUNNING', { desired: 'stopped' }), listed(), 'see:STOPPING'],
    ['ends a stop whose lab is gone', stopping('MEMBER'), absent(2), 'end:STOPPED:MEMBER'],
    ['not after one absence', stopping('MEMBER'), absent(1), 'nothing'],
    ['ends a start that timed out', stopping('START_TIMEOUT'), absent(2), 'end:FAILED:START_TIMEOUT'],

    ['waits through a short silence', wish('RUNNING'), silent(10_000), 'nothing'],
    ['loses a lab after ten seconds', wish('RUNNING'), silent(10_001), 'lose'],
    ['loses one that starts', wish('STARTING', unseen), silent(10_001), 'lose'],
    ['loses one that stops', stopping('MEMBER'), silent(10_001), 'lose'],
    ['tells what is queued why it waits', wish('QUEUED', unseen), silent(10_001), 'wait:WAITS_FOR_ENGINE'],
    ['tells what is being deleted why it waits', wish('DELETING', { session: null }), silent(10_001), 'wait:WAITS_FOR_ENGINE'],
    ['tells it once', wish('DELETING', { session: null, stateReason: 'WAITS_FOR_ENGINE' }), silent(HOUR), 'nothing'],
    ['stays lost for a day', wish('LOST', { stateAgeMs: timeoutsMs.LOST }), silent(HOUR), 'nothing'],
    ['gives up after it', wish('LOST', { stateAgeMs: timeoutsMs.LOST + 1 }), silent(HOUR), 'end:FAILED:ENGINE_LOST'],
    ['finds a lost lab again', wish('LOST'), listed(), 'see:RUNNING:back'],
    ['finds one that still starts', wish('LOST', unseen), listed({ state: 'starting' }), 'see:STARTING:back'],
    ['stops a lost one that should', wish('LOST', { desired: 'stopped' }), listed(), 'see:STOPPING:back'],
    ['believes a lost lab gone after two absences', wish('LOST'), absent(2), 'end:FAILED:VANISHED'],
    ['starts a lost one that never ran', wish('LOST', unseen), absent(2), 'see:STARTING:back'],

    ['deletes a home', wish('DELETING', { desired: 'deleted', session: null }), absent(0), 'deleteHome'],
    ['not while a lab is in it', wish('DELETING', { desired: 'deleted', session: null }), absent(0, true), 'nothing'],
    ['not without the engine', wish('DELETING', { desired: 'deleted', session: null }), silent(10_000), 'nothing'],
  ])('%s', (_title, wished, evidence, step) => {
    expect(worded(nextStep(wished, evidence))).toBe(step);
  });

  const ends: EndReason[] = ['stopped', 'lease', 'out_of_memory', 'disk_full', 'exited', 'start_failed', 'engine_died'];
  it.each(ends.map((endReason) => [endReason]))('books a lab that ended as %s, whatever the state', (endReason) => {
    for (const state of ['STARTING', 'RUNNING', 'STOPPING', 'LOST'] as const) {
      expect(nextStep(wish(state), listed({ state: 'ended', endReason }))).toMatchObject({ do: 'end' });
    }
  });

  it('only ever moves along the transition table', () => {
    const evidences = [
      ...[silent(0), silent(11_000), absent(1), absent(2), absent(2, true)],
      ...(['starting', 'running', 'stopping'] as const).map((state) => listed({ state })),
      ...ends.map((endReason) => listed({ state: 'ended', endReason })),
      listed({ runningMs: 200 * HOUR }),
    ];
    const withSession = workshopStates.filter((state) => !['STOPPED', 'FAILED', 'DELETING', 'DELETED'].includes(state));
    const wishes = withSession.flatMap((state) =>
      (['running', 'stopped'] as const)
        .filter((desired) => state !== 'STOPPING' || desired === 'stopped')
        .flatMap((desired) =>
          [0, 25 * HOUR].flatMap((stateAgeMs) => [
            wish(state, { desired, stateAgeMs }),
            wish(state, { desired, stateAgeMs, ...unseen }),
          ]),
        ),
    );

    const moves = wishes.flatMap((one) => evidences.map((evidence) => [one.state, targetOf(nextStep(one, evidence))] as const));

    const forbidden = moves.filter(([from, to]) => to !== null && !transitionTable[from].includes(to));
    expect(forbidden).toEqual([]);
  });
});

function targetOf(step: Step): WorkshopState | null {
  switch (step.do) {
    case 'launch':
      return 'STARTING';
    case 'see':
      return step.to;
    case 'beginStop':
      return 'STOPPING';
    case 'lose':
      return 'LOST';
    case 'end':
      return step.outcome.to;
    default:
      return null;
  }
}

describe('what an end means', () => {
  it.each<[EndReason, Wish['desired'], string, string]>([
    ['stopped', 'stopped', 'MEMBER', 'STOPPED:MEMBER'],
    ['stopped', 'stopped', 'MAX_HOURS', 'STOPPED:MAX_HOURS'],
    ['stopped', 'stopped', 'LEVEL_MAX_HOURS', 'STOPPED:LEVEL_MAX_HOURS'],
    ['stopped', 'stopped', 'START_TIMEOUT', 'FAILED:START_TIMEOUT'],
    ['stopped', 'running', '', 'STOPPED:OPERATOR'],
    ['lease', 'running', '', 'STOPPED:LEASE'],
    ['lease', 'stopped', 'MEMBER', 'STOPPED:LEASE'],
    ['exited', 'running', '', 'STOPPED:EXITED'],
    ['exited', 'stopped', 'MEMBER', 'STOPPED:MEMBER'],
    ['out_of_memory', 'running', '', 'FAILED:OUT_OF_MEMORY'],
    ['disk_full', 'running', '', 'FAILED:DISK_FULL'],
    ['start_failed', 'running', '', 'FAILED:START_FAILED'],
    ['engine_died', 'running', '', 'FAILED:ENGINE_LOST'],
    ['engine_died', 'stopped', 'MEMBER', 'STOPPED:MEMBER'],
  ])('%s while %s was wished (%s) is %s', (endReason, desired, stateReason, outcome) => {
    const { to, stopReason } = outcomeOf(endReason, { desired, stateReason });

    expect(`${to}:${stopReason}`).toBe(outcome);
  });
});
