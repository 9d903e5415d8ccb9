import { runLab } from '../domains/account/labRun';
import { brokenInvariants } from '../domains/workshop/testbed';
import { buildTestApp, type TestApp } from '../testing/buildTestApp';
import type { TestMember } from '../testing/factories';
import { runCommand } from '../testing/runCommand';
import { advance, setTestNow } from '../testing/testDatabase';
import { CommandRefused, type OperatorCommand } from './command';
import { dcuAdjust, dcuGrant, pointsAdjust } from './corrections';

const MINUTE = 60_000;

describe('an operator’s', () => {
  let test: TestApp;
  let member: TestMember;
  beforeAll(async () => {
    test = await buildTestApp();
    await setTestNow(test.db, new Date('2026-11-20T10:00:00Z'));
  });
  beforeEach(async () => {
    member = await test.buildMember({ remainDcuMicro: 10_000_000n });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    expect(await brokenInvariants(test)).toEqual([]);
  });
  afterAll(() => test.close());

  const runner = (command: OperatorCommand) => (options: Record<string, string | number>) =>
    runCommand(test, command, { member: member.username, ref: 'T-1', reason: 'the outage', ...options });
  const grant = (options: Record<string, string | number>) => runner(dcuGrant)({ days: 365, ...options });
  const adjust = runner(dcuAdjust);
  const adjustPoints = runner(pointsAdjust);
  const balance = async () => (await test.as(member).send('GET /gateway/account/remainDcu')).data.remainDcu;
  const points = async () => (await test.as(member).send('GET /gateway/points/overview')).data.points;
  const audited = () =>
    test.db
      .selectFrom('auditEntry')
      .select(['actorKind', 'actor', 'action', 'result', 'note'])
      .where('subject', '=', member.memberId)
      .execute();

  it('grant adds DCU for so long, in the changes with its reason and in the audit with who and why', async () => {
    expect(await grant({ dcu: '12.5', days: 30 })).toEqual([`${member.username}: +12.5 DCU.`]);

    expect(await balance()).toBe(22.5);
    const { list } = (await test.as(member).send('POST /gateway/dcuChange/pageFind', { body: {} })).data;
    expect(list[0]).toMatchObject({ kind: 'grant', amountDcu: 12.5, subject: 'the outage' });
    const { lots } = (await test.as(member).send('GET /gateway/account/overview')).data;
    expect(lots[0]).toMatchObject({ source: 'gift', grantedDcu: 12.5, expiresAt: '2026-12-20T10:00:00.000Z' });
    expect(await audited()).toEqual([
      { actorKind: 'operator', actor: 'tester', action: 'dcu grant', result: 'OK', note: 'T-1: the outage' },
    ]);
  });

  it('grant without days never ends', async () => {
    await grant({ dcu: '1', days: 0 });

    const { lots } = (await test.as(member).send('GET /gateway/account/overview')).data;
    expect(lots.map((lot) => lot.expiresAt)).toEqual([null, null]);
  });

  it.each([
    ['grant', () => grant({ dcu: '5' }), 15],
    ['addition', () => adjust({ dcu: '5' }), 15],
    ['correction', () => adjust({ dcu: '-4' }), 6],
  ])('%s happens once for its reference, however often and at once it is run', async (_what, run, expected) => {
    const said = (await Promise.all(Array.from({ length: 8 }, run))).flat();

    expect(await balance()).toBe(expected);
    expect(said.filter((line) => line.startsWith('Nothing was done: under T-1, '))).toHaveLength(7);
    expect(await audited()).toHaveLength(1);
  });

  it('reference that was used for another amount is refused, and is free for another member', async () => {
    await grant({ dcu: '5' });
    await expect(adjust({ dcu: '-5' })).rejects.toThrow(
      new CommandRefused(`Under T-1, ${member.username} was given +5 DCU before.`),
    );
    expect(await balance()).toBe(15);

    member = await test.buildMember({ remainDcuMicro: 0n });
    await grant({ dcu: '5' });
    expect(await balance()).toBe(5);
  });

  it('correction takes what ends soonest first and never what a running lab is promised', async () => {
    await grant({ dcu: '5', days: 1, ref: 'T-0' });
    await runLab(test, member, 5 * MINUTE, { isLeftRunning: true });
    const { availableDcu } = (await test.as(member).send('GET /gateway/account/overview')).data;
    await expect(adjust({ dcu: String(-(availableDcu + 0.000001).toFixed(6)) })).rejects.toThrow(
      `${member.username} has ${availableDcu} DCU free; nothing was changed.`,
    );

    await adjust({ dcu: '-4.7' });
    const { lots, remainDcu } = (await test.as(member).send('GET /gateway/account/overview')).data;
    expect(remainDcu).toBe(10);
    expect(lots.map((lot) => lot.remainDcu)).toEqual([10]);
    await adjust({ dcu: String(-(availableDcu - 4.7).toFixed(6)), ref: 'T-2' });
    await advance(test.db, MINUTE);
    expect((await test.as(member).send('GET /gateway/account/overview')).data.availableDcu).toBe(0);
  });

  it('correction of points adds and takes what is free', async () => {
    expect(await adjustPoints({ points: '+70' })).toEqual([`${member.username}: +70 points.`]);
    await expect(adjustPoints({ points: '-71', ref: 'T-2' })).rejects.toThrow(
      `${member.username} has 70 points free; nothing was changed.`,
    );
    await adjustPoints({ points: '-30', ref: 'T-2' });

    expect(await points()).toBe(40);
    expect((await audited()).map((entry) => entry.action)).toEqual(['points adjust', 'points adjust']);
  });

  it.each([
    [() => grant({ dcu: '-1' }), 'dcu grant gives DCU; dcu adjust takes them.'],
    [() => grant({ dcu: '0' }), '0 is no amount of DCU other than 0 with up to six decimals.'],
    [() => adjust({ dcu: '1.1234567' }), '1.1234567 is no amount of DCU other than 0 with up to six decimals.'],
    [() => adjustPoints({ points: '1.5' }), '1.5 is no whole number of points other than 0.'],
    [() => grant({ dcu: '1', member: 'nobody-here' }), 'There is no member nobody-here.'],
  ])('mistake is refused with one sentence %#', async (run, sentence) => {
    await expect((async () => run())()).rejects.toThrow(new CommandRefused(sentence));
    expect(await balance()).toBe(10);
  });

  it('change is not made where its audit entry cannot be written', async () => {
    jest.spyOn(test.services.audit, 'write').mockRejectedValue(new Error('no room'));

    for (const run of [() => grant({ dcu: '5' }), () => adjust({ dcu: '-5' }), () => adjustPoints({ points: '5' })])
      await expect(run()).rejects.toThrow('no room');

    expect(await balance()).toBe(10);
    expect(await points()).toBe(0);
  });
});
