import { buildLab, buildRunningLab, buildSession } from '@/testing/labs';
import type { Text } from '@/utils/words';
import { aheadOf, factsOf } from './labFacts';

const text: Text = (word, values = {}) => `${word.split('.').at(-1)} ${Object.values(values).join(' ')}`.trim();
const live = { costDcu: 0.42, runningMs: 3_024_000 };
const keysOf = (lab: Parameters<typeof factsOf>[0], lastsUntil: string | null = '2126-11-22T21:40:00.000Z') =>
  factsOf(lab, live, lastsUntil, text).map(({ key }) => key);

describe('figures between two answers', () => {
  it('move on at the rate', () => {
    const { costDcu, runningMs } = aheadOf(buildSession({ costDcu: 0.42, dcuPerHour: 0.5, runningMs: 1_000 }), 7_200, 15_000);

    expect(costDcu).toBeCloseTo(0.421, 9);
    expect(runningMs).toBe(8_200);
  });

  it('never run further ahead than one pause between polls, nor backwards', () => {
    const session = buildSession({ costDcu: 1, dcuPerHour: 3.6, runningMs: 0 });

    expect(aheadOf(session, 3_600_000, 15_000)).toEqual({ costDcu: 1.015, runningMs: 15_000 });
    expect(aheadOf(session, -5_000, 15_000)).toEqual({ costDcu: 1, runningMs: 0 });
  });
});

describe('the live line', () => {
  it('of a running lab says cost, rate, how long the balance lasts and what stops it', () => {
    const facts = factsOf(buildRunningLab(), live, '2126-11-22T21:40:00.000Z', text);

    expect(facts.map(({ key }) => key)).toEqual(['cost', 'rate', 'lasts', 'stops']);
    expect(facts[0]).toEqual({ key: 'cost', words: 'cost 0.42', exact: 'exact 0.420000' });
    expect(facts[3]?.words).toContain('MAX_HOURS');
  });

  it('says one moment once where the balance itself is what stops the lab', () => {
    expect(keysOf(buildRunningLab({ session: buildSession({ stopsCause: 'BALANCE' }) }))).toEqual(['cost', 'rate', 'stops']);
  });

  it('of a lab on its way says that nothing is charged yet', () => {
    expect(keysOf(buildLab({ state: 'PULLING', session: buildSession() }))).toEqual(['rate', 'waiting']);
  });

  it('of a lost lab says that the meter is paused', () => {
    expect(keysOf(buildLab({ state: 'LOST', session: buildSession({ stopsAt: null, stopsCause: null }) }))).toEqual([
      'cost',
      'rate',
      'paused',
    ]);
  });

  it('of a resting lab says what it cost so far, or that it never ran', () => {
    const end = { endedAt: '2026-11-20T11:00:00.000Z', stopReason: 'MEMBER' as const, exitCode: null };
    const last = { ...buildSession(), ...end, hasOutput: false, advice: null };

    expect(keysOf(buildLab())).toEqual(['rate', 'never']);
    expect(keysOf(buildLab({ lastSession: last }))).toEqual(['total', 'rate', 'last']);
  });
});
