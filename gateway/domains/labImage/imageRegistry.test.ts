import { HARBOR_USER, type HarborStandIn, startHarborStandIn } from '../../drivers/registry/testing/harborStandIn';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import { createSecretCipher } from './secretCipher';

const KEY = 'GET /gateway/image/harborInfo';

describe('GET /gateway/image/harborInfo', () => {
  let standIn: HarborStandIn;
  let test: TestApp;
  beforeAll(async () => {
    standIn = await startHarborStandIn();
    test = await buildTestApp({ config: { harbor: { url: standIn.url, ...HARBOR_USER, projectPrefix: 'campus' } } });
  });
  afterAll(async () => {
    await test.close();
    await standIn.close();
  });

  const rowOf = (memberId: string) =>
    test.db.selectFrom('registryAccount').selectAll().where('memberId', '=', memberId).executeTakeFirstOrThrow();

  it('makes a private project and a robot of the member’s own at the first look, and shows the same at every later one', async () => {
    const member = await test.buildMember();
    const first = await test.as(member).send(KEY);
    const project = `campus-${member.memberId.slice(-12)}`;

    expect(first.data).toEqual({
      isConfigured: true,
      registry: standIn.host,
      project,
      robot: expect.stringMatching(new RegExp(`^robot\\$${project}\\+lab-[0-9a-f]{8}$`)),
      secret: 'secret-1',
      expiresAt: '2100-01-01T00:00:00.000Z',
      loginLine: expect.stringContaining(`docker login ${standIn.host}`),
      pushLine: expect.stringContaining(`${standIn.host}/${project}/IMAGE:TAG`),
    });
    expect(first.headers['cache-control']).toBe('no-store');
    expect((await test.as(member).send(KEY)).data).toEqual(first.data);
    expect(standIn.robots.size).toBe(1);
  });

  it('keeps the secret unreadable in the database', async () => {
    const member = await test.buildMember();
    const { secret } = (await test.as(member).send(KEY)).data;
    const { secretCipher } = await rowOf(member.memberId);

    expect(secretCipher.includes(secret)).toBe(false);
    expect(createSecretCipher(HARBOR_USER.password).open(secretCipher, member.memberId)).toBe(secret);
  });

  it('has the secret renewed where the kept one cannot be read any more', async () => {
    const member = await test.buildMember();
    await test.as(member).send(KEY);
    const other = createSecretCipher('the password before').seal('old', member.memberId);
    await test.db.updateTable('registryAccount').set({ secretCipher: other }).where('memberId', '=', member.memberId).execute();

    const { secret } = (await test.as(member).send(KEY)).data;

    expect(secret).toMatch(/^renewed-/);
    expect((await test.as(member).send(KEY)).data.secret).toBe(secret);
  });

  it('makes another robot where the kept one is gone, switched off or about to end', async () => {
    const member = await test.buildMember();
    const first = (await test.as(member).send(KEY)).data.robot;
    standIn.robots.delete(Number((await rowOf(member.memberId)).robotId));
    const second = (await test.as(member).send(KEY)).data.robot;
    const robot = standIn.robots.get(Number((await rowOf(member.memberId)).robotId));
    Object.assign(robot ?? {}, { expiresAt: Math.floor(test.clock.nowMs() / 1000) + 86_400 });
    const third = (await test.as(member).send(KEY)).data.robot;

    expect(new Set([first, second, third]).size).toBe(3);
  });

  it.each([
    [401, 'credentials', 'does not know'],
    [403, 'forbidden', 'does not let'],
    [500, 'unreachable', 'does not answer'],
    [418, 'unexpected', 'no such registry'],
  ])('says in words what %i means', async (status, problem, words) => {
    const member = await test.buildMember();
    standIn.answerNext({ status });
    const reply = await test.as(member).send(KEY);

    expect(reply).toFailWith('REGISTRY_UNAVAILABLE');
    expect(reply.envelope.data).toMatchObject({ problem });
    expect(reply.envelope.msg).toContain(words);
    standIn.answerNext({ status });
    const chinese = await test.as(member).send(KEY, { headers: { 'accept-language': 'zh-CN' } });
    expect(chinese.envelope.msg).toMatch(/[\u4e00-\u9fff]/);
  });
});

it('a sealed secret is read for its owner and under its password alone, and not when a bit of it changed', () => {
  const cipher = createSecretCipher('password');
  const sealed = cipher.seal('hush', 'owner');
  const changed = Buffer.from(sealed);
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;

  expect(cipher.open(sealed, 'owner')).toBe('hush');
  expect(cipher.open(sealed, 'other')).toBeNull();
  expect(createSecretCipher('another').open(sealed, 'owner')).toBeNull();
  expect(cipher.open(changed, 'owner')).toBeNull();
  expect(cipher.open(Buffer.alloc(3), 'owner')).toBeNull();
  expect(cipher.seal('hush', 'owner').equals(sealed)).toBe(false);
});
