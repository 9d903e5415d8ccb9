import { randomUUID } from 'node:crypto';
import { inTransaction } from '../../db/client';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { setTestNow } from '../../testing/testDatabase';
import { placePackage } from '../order/orderWorld';
import { buySku, payOrder } from '../payment/paymentWorld';
import { type LabRun, runLab as runLabOf } from './labRun';

import '../../testing/matchers';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
let nowMs = Date.parse('2036-03-01T10:00:00Z');

let test: TestApp;
beforeAll(async () => {
  test = await buildTestApp();
  await setTestNow(test.db, new Date(nowMs));
});
afterAll(() => test.close());

async function pass(ms: number): Promise<void> {
  nowMs += ms;
  await setTestNow(test.db, new Date(nowMs));
}

function grant(member: TestMember, micro: bigint, note: string, expiresAt: Date | null = null): Promise<unknown> {
  const gift = { kind: 'gift', source: 'gift', refType: 'test', refId: 'test', idemKey: randomUUID() } as const;
  return inTransaction(test.db, (tx) =>
    test.services.ledger.grantDcu(tx, { ...gift, memberId: member.memberId, micro, note, expiresAt }),
  );
}

/** As the meter saw it; the clock of these tests goes on with it. */
async function runLab(member: TestMember, ms: number, isLeftRunning = false): Promise<LabRun> {
  const run = await runLabOf(test, member, ms, { isLeftRunning });
  nowMs += ms;
  return run;
}

describe('every account call', () => {
  it.each(['GET /gateway/account/remainDcu', 'GET /gateway/account/overview', 'POST /gateway/dcuChange/pageFind'] as const)(
    '%s asks a visitor to sign in',
    async (call) => {
      expect(await test.as(null).send(call, call.startsWith('POST') ? { body: {} } : {})).toFailWith('UNAUTHORIZED');
    },
  );
});

describe('the balance', () => {
  it('falls with the observed time of a running lab, to the micro-DCU', async () => {
    const member = await test.buildMember({ remainDcuMicro: 20_000_001n });
    await runLab(member, 4 * MINUTE + 1, true);
    const { data } = await test.as(member).send('GET /gateway/account/remainDcu', { query: { isInit: true } });
    expect(data).toEqual({ remainDcu: 20.000001 - 0.240001, availableDcu: 20.000001 - 0.6 });
  });

  it('shows nobody what is another member’s', async () => {
    const [rich, poor] = [await test.buildMember({ remainDcuMicro: 9_000_000n }), await test.buildMember({ remainDcuMicro: 0n })];
    expect((await test.as(poor).send('GET /gateway/account/remainDcu')).data).toEqual({ remainDcu: 0, availableDcu: 0 });
    expect((await test.as(poor).send('POST /gateway/dcuChange/pageFind', { body: {} })).data).toEqual({ list: [], total: 0 });
    expect((await test.as(rich).send('POST /gateway/dcuChange/pageFind', { body: {} })).data.total).toBe(1);
    expect((await test.as(poor).send('GET /gateway/account/overview')).data).toMatchObject({
      lots: [],
      runningLabs: 0,
      lastsUntil: null,
    });
  });

  it('refuses fields it does not know', async () => {
    const member = await test.buildMember();
    const memberId = member.memberId;
    expect(await test.as(member).send('GET /gateway/account/remainDcu', { query: { memberId } })).toFailWith('INVALID_INPUT');
    expect(await test.as(member).send('POST /gateway/dcuChange/pageFind', { body: { memberId } })).toFailWith('INVALID_INPUT');
    expect(await test.as(member).send('POST /gateway/dcuChange/pageFind', { body: { kind: 'theft' } })).toFailWith('INVALID_INPUT');
    const backwards = { from: '2036-01-02T00:00:00Z', to: '2036-01-01T00:00:00Z' };
    expect(await test.as(member).send('POST /gateway/dcuChange/pageFind', { body: backwards })).toFailWith('INVALID_INPUT');
  });
});

describe('the overview', () => {
  it('lists lots in burn order as they stand now, and one runway', async () => {
    const member = await test.buildMember({ remainDcuMicro: 5_000_000n });
    await grant(member, 2_000_000n, 'Spring gift', new Date(nowMs + 5 * HOUR));
    await runLab(member, 30 * MINUTE, true);

    const { data } = await test.as(member).send('GET /gateway/account/overview');

    expect(data.lots.map(({ source, grantedDcu, remainDcu }) => [source, grantedDcu, remainDcu])).toEqual([
      ['gift', 2, 0.2],
      ['gift', 5, 5],
    ]);
    expect(data).toMatchObject({ remainDcu: 5.2, burnDcuPerHour: 3.6, runningLabs: 1, at: new Date(nowMs).toISOString() });
    expect(data.runwayMs).toBe((5.2 / 3.6) * HOUR - (((5.2 / 3.6) * HOUR) % 1));
    expect(data.lots.reduce((sum, { remainDcu }) => sum + remainDcu, 0)).toBeCloseTo(data.remainDcu, 6);
    expect(data.remainDcu - data.heldDcu + 1.8).toBeCloseTo(data.availableDcu, 6);
  });

  it('counts spending when it happened, by day and month of the billing time zone', async () => {
    nowMs = Date.parse('2036-06-30T15:30:00Z');
    await pass(0);
    const member = await test.buildMember();
    await runLab(member, HOUR, true);
    const { data } = await test.as(member).send('GET /gateway/account/overview');
    expect([data.spentTodayDcu, data.spentMonthDcu]).toEqual([1.8, 1.8]);
    await runLab(member, 0.5 * HOUR);
    await pass(24 * HOUR);
    const later = (await test.as(member).send('GET /gateway/account/overview')).data;
    expect([later.spentTodayDcu, later.spentMonthDcu]).toEqual([0, 3.6]);
  });
});

describe('the changes', () => {
  it('say what each was for, newest first, and agree with the balance', async () => {
    const member = await test.buildMember({ remainDcuMicro: 0n });
    await grant(member, 3_000_000n, 'Welcome gift', new Date(nowMs + 2 * HOUR));
    const { workshopId, sessionId } = await runLab(member, 10 * MINUTE);
    const workshop = await test.db.selectFrom('workshop').select('name').where('id', '=', workshopId).executeTakeFirstOrThrow();
    await pass(3 * HOUR);
    await inTransaction(test.db, (tx) => test.services.metering.expireLotsOf(tx, member.memberId));

    const { list, total } = (await test.as(member).send('POST /gateway/dcuChange/pageFind', { body: {} })).data;

    expect(total).toBe(3);
    expect(list.map(({ kind, amountDcu, balanceAfterDcu, subject }) => [kind, amountDcu, balanceAfterDcu, subject])).toEqual([
      ['expiry', -2.4, 0, 'Welcome gift'],
      ['usage', -0.6, 2.4, workshop.name],
      ['gift', 3, 3, 'Welcome gift'],
    ]);
    expect(list[1]).toMatchObject({ sessionId, workshopId, observedMs: 10 * MINUTE, dcuPerHour: 3.6 });
    expect(list[0]).toMatchObject({ sessionId: null, workshopId: null, observedMs: null, dcuPerHour: null });
  });

  it('say which order or package they came of, in the reader’s language', async () => {
    const member = await test.buildMember({ remainDcuMicro: 0n });
    const bought = await buySku(test, member, { skuId: 'dcu-100' });
    const { orderId } = (await placePackage(test, member)).data;
    await payOrder(test, member, orderId);

    const find = async (language: string) =>
      (await test.as(member).send('POST /gateway/dcuChange/pageFind', { body: {}, headers: { 'accept-language': language } })).data;

    expect((await find('en-US')).list).toMatchObject([
      { kind: 'grant', amountDcu: 30, subject: 'Standard', orderId: null },
      { kind: 'grant', amountDcu: 5, subject: bought.title, orderId: bought.orderId },
      { kind: 'purchase', amountDcu: 100, subject: bought.title, orderId: bought.orderId },
    ]);
    expect((await find('zh-CN')).list[0]?.subject).toBe('标准版');
  });

  it('of one workshop are those its usage cost, and a foreign workshop has none', async () => {
    const [member, other] = [await test.buildMember(), await test.buildMember()];
    const { workshopId, sessionId } = await runLab(member, 10 * MINUTE);
    await runLab(member, 20 * MINUTE);
    const find = async (who: typeof member) =>
      (await test.as(who).send('POST /gateway/dcuChange/pageFind', { body: { workshopId } })).data;

    const own = await find(member);
    expect(own.total).toBe(1);
    expect(own.list.map((change) => change.sessionId)).toEqual([sessionId]);
    expect(await find(other)).toEqual({ list: [], total: 0 });
  });

  it('are paged and filtered by kind and time', async () => {
    const member = await test.buildMember({ remainDcuMicro: 0n });
    const startedAt = new Date(nowMs).toISOString();
    for (let n = 1; n <= 12; n += 1) {
      await grant(member, BigInt(n), `gift ${n}`);
      await pass(MINUTE);
    }
    const find = async (body: object) => (await test.as(member).send('POST /gateway/dcuChange/pageFind', { body })).data;
    const subjects = async (body: object) => (await find(body)).list.map(({ subject }) => subject);

    expect((await find({})).list).toHaveLength(10);
    expect(await subjects({ current: 2 })).toEqual(['gift 2', 'gift 1']);
    expect(await subjects({ current: 3, pageSize: 5 })).toEqual(['gift 2', 'gift 1']);
    expect(await find({ current: 9 })).toEqual({ list: [], total: 12 });
    expect(await find({ kind: 'usage' })).toEqual({ list: [], total: 0 });
    const window = { kind: 'gift', from: startedAt, to: new Date(Date.parse(startedAt) + 3 * MINUTE).toISOString() };
    expect(await subjects(window)).toEqual(['gift 3', 'gift 2', 'gift 1']);
    expect((await find(window)).total).toBe(3);
  });
});
