import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';

describe('GET /gateway/image/basicTree', () => {
  let test: TestApp;
  let member: TestMember;
  beforeAll(async () => {
    test = await buildTestApp();
    member = await test.buildMember();
  });
  afterEach(() => test.engine.simulate.setMissingCommands([]));
  afterAll(() => test.close());

  const tree = async (language = 'en-US') =>
    (await test.as(member).send('GET /gateway/image/basicTree', { headers: { 'accept-language': language } })).data.tree;
  const variants = async (language?: string) =>
    (await tree(language)).flatMap(({ versions }) => versions).flatMap((one) => one.variants);

  it('is framework, version and variant, everything available where nothing is missing', async () => {
    expect(await tree()).toContainEqual(
      expect.objectContaining({
        framework: 'c',
        versions: [
          {
            version: 'GCC',
            variants: [expect.objectContaining({ imageId: 'c-gcc' }), expect.objectContaining({ imageId: 'cpp-gcc' })],
          },
        ],
      }),
    );
    expect((await variants()).every(({ isAvailable, reason }) => isAvailable && reason === '')).toBe(true);
  });

  it('shows what this machine cannot run, with the command it lacks, in the member’s language', async () => {
    test.engine.simulate.setMissingCommands(['gcc']);
    const gcc = (list: Awaited<ReturnType<typeof variants>>) => list.filter(({ isAvailable }) => !isAvailable);

    expect(gcc(await variants())).toMatchObject([{ imageId: 'c-gcc', reason: 'this machine lacks gcc.' }]);
    expect(gcc(await variants('zh-CN'))).toMatchObject([{ imageId: 'c-gcc', reason: '本机缺少 gcc。' }]);
  });

  it('shows everything, available nowhere, while the engine is silent', async () => {
    test.engine.simulate.setReachable(false);
    const list = await variants();
    test.engine.simulate.setReachable(true);

    expect(list.length).toBeGreaterThan(3);
    expect(list.every(({ isAvailable, reason }) => !isAvailable && reason.includes('does not answer'))).toBe(true);
  });
});
