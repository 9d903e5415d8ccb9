import { setTimeout as delay } from 'node:timers/promises';
import { errors } from '../contract/errors';
import { codeFor, newMobile, PASSWORD, registration } from '../domains/user/userWorld';
import { metrics } from '../metrics';
import { buildTestApp, type TestApp } from '../testing/buildTestApp';
import { TEST_PASSWORD, type TestMember } from '../testing/factories';
import type { TestInput } from '../testing/testClient';

describe('the audit table', () => {
  let test: TestApp;
  let member: TestMember;
  let seen: Set<string>;
  beforeAll(async () => {
    test = await buildTestApp();
  });
  beforeEach(async () => {
    member = await test.buildMember();
    seen = new Set((await rows()).map(({ id }) => id));
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => test.close());

  const rows = () => test.db.selectFrom('auditEntry').selectAll().orderBy('at').orderBy('id').execute();
  /** What came since the test began. */
  const fresh = async () => (await rows()).filter(({ id }) => !seen.has(id));
  const login = (username: string, password: string, headers = {}) =>
    test.as(null).send('POST /gateway/user/login', { body: { type: 'password', username, password }, headers });
  const change = (what: string, input: TestInput, who: TestMember | null = member) =>
    test.as(who).send(`POST /gateway/workshop/${what}` as 'POST /gateway/workshop/stop', input);

  it('has one row of a request that was done: who, what, to what, from where, as which trace', async () => {
    const { workshopId } = await test.buildWorkshop({ memberId: member.memberId });

    const reply = await change('update', { body: { workshopId, name: 'Renamed' }, headers: { 'user-agent': 'Browser/1' } });

    expect(reply.envelope.success).toBe(true);
    expect(await fresh()).toEqual([
      {
        id: expect.any(String),
        at: expect.any(Date),
        actorKind: 'member',
        actor: member.memberId,
        action: 'POST /gateway/workshop/update',
        subject: workshopId,
        result: 'OK',
        code: 0,
        ip: '127.0.0.1',
        userAgent: 'Browser/1',
        traceId: reply.envelope.traceId,
        note: null,
      },
    ]);
  });

  it('has the row before the answer is out', async () => {
    const { workshopId } = await test.buildWorkshop({ memberId: member.memberId });
    const { write } = test.services.audit;
    jest.spyOn(test.services.audit, 'write').mockImplementation(async (entry) => {
      await delay(50);
      await write(entry);
    });

    await change('delete', { body: { workshopId } });

    expect(await fresh()).toHaveLength(1);
  });

  it.each<[string, (workshopId: string) => Promise<unknown>, keyof typeof errors]>([
    ['no session', (workshopId) => change('stop', { body: { workshopId } }, null), 'UNAUTHORIZED'],
    ['a field that does not fit', (workshopId) => change('stop', { body: { workshopId, price: 0 } }), 'INVALID_INPUT'],
    ['a state that does not allow it', (workshopId) => change('stop', { body: { workshopId } }), 'WORKSHOP_STATE_CONFLICT'],
    [
      'another site',
      (workshopId) => change('stop', { body: { workshopId }, headers: { 'sec-fetch-site': 'cross-site' } }),
      'CROSS_SITE_REFUSED',
    ],
    [
      'a type that is not read',
      () => change('stop', { headers: { 'content-type': 'text/plain' }, body: 'x' }),
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['a body that is too large', () => change('stop', { body: { workshopId: 'x'.repeat(1_100_000) } }), 'BODY_TOO_LARGE'],
  ])('has one row of a request refused for %s', async (_why, send, result) => {
    const { workshopId } = await test.buildWorkshop({ memberId: member.memberId });

    await send(workshopId);

    expect(await fresh()).toMatchObject([{ action: 'POST /gateway/workshop/stop', result, code: errors[result].code }]);
  });

  it('says of a foreign thing whose hand reached for it', async () => {
    const { workshopId } = await test.buildWorkshop({ memberId: member.memberId });
    const stranger = await test.buildMember();

    await change('delete', { body: { workshopId } }, stranger);

    expect(await fresh()).toMatchObject([{ actor: stranger.memberId, subject: workshopId, result: 'NOT_FOUND' }]);
  });

  it('knows which account a wrong password was tried on, and keeps neither password nor a name nobody has', async () => {
    await login(member.username, 'wrong-password');
    await login('13812340000-typed-into-the-wrong-box', 'wrong-password');
    await login(member.username, TEST_PASSWORD);

    const written = await fresh();
    expect(written).toMatchObject([
      { actorKind: 'visitor', actor: null, subject: member.memberId, result: 'INVALID_CREDENTIALS' },
      { actorKind: 'visitor', actor: null, subject: null, result: 'INVALID_CREDENTIALS' },
      { actorKind: 'visitor', actor: null, subject: member.memberId, result: 'OK' },
    ]);
    expect(JSON.stringify(written)).not.toMatch(/wrong|typed|1381234/);
  });

  it('has registering, its code and signing out, and no phone number, code or secret of them', async () => {
    const mobile = newMobile();
    const captcha = await codeFor(test, mobile, 'register');
    const { data, cookies } = await test.as(null).send('POST /gateway/user/register', { body: registration(mobile, captcha) });
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    await test.as(null).send('POST /gateway/user/logout', { headers: { cookie } });

    const written = await fresh();
    const { userId } = data.user;
    expect(written).toMatchObject([
      { action: 'GET /gateway/user/sendVerificationCode', actorKind: 'visitor', subject: null, result: 'OK' },
      { action: 'POST /gateway/user/register', actorKind: 'visitor', subject: userId, result: 'OK' },
      { action: 'POST /gateway/user/logout', actorKind: 'member', actor: userId, subject: userId, result: 'OK' },
    ]);
    const text = JSON.stringify(written);
    for (const secret of [mobile.slice(3), mobile.slice(-8), captcha, PASSWORD, cookies[1]?.value ?? '?'])
      expect(text).not.toContain(secret);
  });

  it('has nothing of what only reads', async () => {
    await test.as(member).send('GET /gateway/account/overview');
    await test.as(member).send('POST /gateway/dcuChange/pageFind', { body: {} });

    expect(await fresh()).toEqual([]);
  });

  it('has the first rows of a flood from an address and counts the others', async () => {
    const skippedBefore = await counted('flood');
    const headers = { 'sec-fetch-site': 'cross-site' };

    await Promise.all(Array.from({ length: 80 }, () => change('stop', { body: {}, headers }, null)));

    const written = await fresh();
    expect(written.length).toBeGreaterThan(50);
    expect(written.length).toBeLessThanOrEqual(60);
    expect((await counted('flood')) - skippedBefore).toBe(80 - written.length);
  });

  it('changes no answer when a row cannot be written, which is counted', async () => {
    const { workshopId } = await test.buildWorkshop({ memberId: member.memberId });
    const lostBefore = await counted('lost');
    await test.pool.query(
      `alter table audit_entry add constraint broken check (action <> 'POST /gateway/workshop/update') not valid`,
    );

    const reply = await change('update', { body: { workshopId, name: 'Still renamed' } });
    await test.pool.query('alter table audit_entry drop constraint broken');

    expect(reply.data).toMatchObject({ name: 'Still renamed' });
    expect((await counted('lost')) - lostBefore).toBe(1);
    expect(await fresh()).toEqual([]);
  });

  it('keeps an answer waiting no longer than a second', async () => {
    const { workshopId } = await test.buildWorkshop({ memberId: member.memberId });
    const { write } = test.services.audit;
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    jest.spyOn(test.services.audit, 'write').mockImplementation(async (entry) => {
      await held;
      await write(entry);
    });

    const reply = await change('update', { body: { workshopId, name: 'Not kept waiting' } });
    expect(reply.envelope.success).toBe(true);
    expect(await fresh()).toEqual([]);
    letGo();

    while ((await fresh()).length === 0) await delay(5);
  });

  it.each(['audit_entry', 'audit_entry_default'])('refuses to be changed, emptied or shortened through %s', async (table) => {
    await login(member.username, 'wrong-password');
    const before = await rows();

    for (const statement of [`update ${table} set result = 'OK', code = 0`, `delete from ${table}`, `truncate ${table}`]) {
      await expect(test.pool.query(statement)).rejects.toThrow('is append-only');
    }

    expect(await rows()).toEqual(before);
  });

  it('takes an operator’s command in the transaction of what it did: both are there or neither', async () => {
    const entry = {
      actor: { kind: 'operator', name: 'wang' },
      action: 'member lock',
      subject: member.memberId,
      result: 'OK',
      note: 'asked for by 13812345678',
    } as const;

    const undone = test.db.transaction().execute(async (tx) => {
      await test.services.audit.write(entry, tx);
      throw new Error('the command failed');
    });
    await expect(undone).rejects.toThrow('the command failed');
    expect(await fresh()).toEqual([]);
    await test.services.audit.write(entry);

    expect(await fresh()).toMatchObject([
      {
        actorKind: 'operator',
        actor: 'wang',
        action: 'member lock',
        subject: member.memberId,
        ip: null,
        note: 'asked for by 138****5678',
      },
    ]);
  });
});

async function counted(outcome: string): Promise<number> {
  const metric = await metrics.getSingleMetric('atelier_audit_entries_total')?.get();
  return metric?.values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
}
