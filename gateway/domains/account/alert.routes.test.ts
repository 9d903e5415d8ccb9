import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { advance, setTestNow } from '../../testing/testDatabase';
import { textsTo } from '../user/userWorld';
import { runLab } from './labRun';

import '../../testing/matchers';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const SET = 'POST /gateway/account/setAlert';

describe('the alert of a low balance', () => {
  let test: TestApp;
  let member: TestMember;
  beforeAll(async () => {
    test = await buildTestApp();
    await setTestNow(test.db, new Date('2036-03-01T10:00:00Z'));
  });
  beforeEach(async () => {
    member = await test.buildMember({ remainDcuMicro: 10_000_000n });
  });
  afterAll(() => test.close());

  const set = (thresholdDcu: number | null, channels: string[] = ['sms'], headers = {}) =>
    test.as(member).send(SET, { body: { thresholdDcu, channels }, headers });
  const shown = async () => (await test.as(member).send('GET /gateway/account/overview')).data.alert;
  const texts = async () =>
    (await textsTo(test, member.mobile)).filter(({ scene }) => scene === 'lowBalance').map(({ text }) => text);
  const watch = async () => void (await test.services.alerts.watchAll());
  const grantAndWatch = async (micro: bigint, ref: string) => {
    const gift = { kind: 'gift', source: 'gift', refType: 'test', refId: 'test', note: 'test', expiresAt: null } as const;
    const idemKey = `${ref}:${member.memberId}`;
    await test.db.transaction().execute((tx) => test.services.ledger.grantDcu(tx, { ...gift, ...member, micro, idemKey }));
    await watch();
  };

  it('is nobody’s before it is set, and its member’s to set, change and take away', async () => {
    expect(await shown()).toBeNull();

    expect((await set(5)).data).toEqual({ thresholdDcu: 5, channels: ['page', 'sms'], isBelow: false });
    expect((await set(11, ['page'])).data).toEqual({ thresholdDcu: 11, channels: ['page'], isBelow: true });
    expect(await shown()).toEqual({ thresholdDcu: 11, channels: ['page'], isBelow: true });

    expect(await set(null)).toMatchObject({ envelope: { success: true, data: null } });
    expect(await shown()).toBeNull();
  });

  it('is not a visitor’s, and has a whole number of DCU and known channels', async () => {
    expect(await test.as(null).send(SET, { body: { thresholdDcu: 5, channels: [] } })).toFailWith('UNAUTHORIZED');
    for (const threshold of [0, -1, 0.5, 1_000_001]) expect(await set(threshold)).toFailWith('INVALID_INPUT');
    expect(await set(5, ['pigeon'])).toFailWith('INVALID_INPUT');
    expect(await shown()).toBeNull();
  });

  it('is told by text once when a running lab brings the balance below it, in the language it was set in', async () => {
    await set(7, ['sms'], { 'accept-language': 'en-US' });
    await runLab(test, member, 50 * MINUTE, { isLeftRunning: true });
    await watch();
    expect(await texts()).toEqual([]);

    // Exactly seven are not below seven; one more second is, though the meter has charged nothing yet.
    await runLab(test, member, 1_000, { isLeftRunning: true });
    await watch();
    await watch();

    expect(await texts()).toEqual([
      '[Atelier] Your balance is 6.999 DCU, below the 7 DCU you set. At zero running labs stop and keep their files. Top up or change this alert on the account page.',
    ]);
    expect(await shown()).toMatchObject({ isBelow: true });
  });

  it('speaks again after the balance was above, at most once a day', async () => {
    await set(11, ['sms'], { 'accept-language': 'zh-CN' });
    await watch();
    await grantAndWatch(5_000_000n, 'first');
    expect(await shown()).toMatchObject({ isBelow: false });
    await set(16);
    await watch();
    expect(await texts()).toHaveLength(1);

    await grantAndWatch(5_000_000n, 'second');
    await advance(test.db, DAY);
    await set(21);
    await watch();

    expect(await texts()).toHaveLength(2);
    expect((await texts())[0]).toMatch(/您的余额为 10 DCU，已低于您设定的 11 DCU/);
  });

  it('stays on the page alone when texts are not wanted', async () => {
    await set(11, ['page']);
    await watch();

    expect(await texts()).toEqual([]);
    expect(await shown()).toMatchObject({ isBelow: true });
  });

  it('tries a text again that was not taken, and gives up after a day', async () => {
    const outbox = join(test.config.dataDir, 'outbox');
    const block = async () => {
      await rm(outbox, { recursive: true, force: true });
      await writeFile(outbox, 'in the way');
    };
    await block();
    await set(11);
    await watch();
    await advance(test.db, 10 * MINUTE - 1);
    await rm(outbox);
    await watch();
    expect(await texts()).toEqual([]);

    await advance(test.db, 1);
    await watch();
    expect(await texts()).toHaveLength(1);

    await grantAndWatch(5_000_000n, 'third');
    await advance(test.db, DAY);
    await block();
    await set(16);
    await watch();
    await advance(test.db, DAY);
    await watch();
    await rm(outbox);
    await mkdir(outbox);
    await advance(test.db, DAY);
    await watch();
    expect(await texts()).toEqual([]);
  });

  it('waits for tomorrow’s budget of texts when today’s is spent', async () => {
    const poor = await buildTestApp({ config: { smsDailyBudget: 0 }, url: test.url });
    await set(11);
    await poor.services.alerts.watchAll();
    expect(await textsTo(poor, member.mobile)).toEqual([]);

    await advance(test.db, 10 * MINUTE);
    await watch();

    expect(await texts()).toHaveLength(1);
    await poor.close();
  });

  it('is told once by two gateways that look at the same time', async () => {
    const second = await buildTestApp({ url: test.url });
    await set(11);

    await Promise.all([watch(), second.services.alerts.watchAll(), watch(), second.services.alerts.watchAll()]);
    await watch();

    expect([...(await texts()), ...(await textsTo(second, member.mobile))]).toHaveLength(1);
    await second.close();
  });

  it('cannot be told by text where it is not below, whatever the code does', async () => {
    await set(5);

    await expect(
      sql`update balance_alert set text_due_at = app_now() where member_id = ${member.memberId}::uuid`.execute(test.db),
    ).rejects.toThrow('balance_alert_check');
  });
});
