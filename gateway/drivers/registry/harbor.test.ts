import { createHarbor } from './harbor';
import { type ImageRegistry, RegistryFailed } from './imageRegistry';
import { HARBOR_USER, type HarborStandIn, startHarborStandIn } from './testing/harborStandIn';

describe('Harbor', () => {
  let standIn: HarborStandIn;
  let harbor: ImageRegistry;
  beforeEach(async () => {
    standIn = await startHarborStandIn();
    harbor = createHarbor({ url: `${standIn.url}/`, ...HARBOR_USER }, 300);
  });
  afterEach(() => standIn.close());

  /** The problem a call fails with. */
  const problemOf = (call: Promise<unknown>) =>
    call.then(
      () => 'nothing',
      (error: unknown) => (error instanceof RegistryFailed ? error.problem : error),
    );

  it('makes a private project once and is content with one that is there', async () => {
    await harbor.ensureProject('atelier-1a2b');
    await harbor.ensureProject('atelier-1a2b');

    expect([...standIn.projects]).toEqual(['atelier-1a2b']);
    expect(standIn.requests[0]).toEqual({
      method: 'POST',
      path: '/api/v2.0/projects',
      authorization: 'Basic YXRlbGllcjpIYXJib3ItMTIzNDU=',
      body: { project_name: 'atelier-1a2b', metadata: { public: 'false' } },
    });
  });

  it('makes a robot that may push to and pull from its project alone', async () => {
    await harbor.ensureProject('atelier-1a2b');
    const robot = await harbor.createRobot('atelier-1a2b', 'member-9f');

    expect(robot).toEqual({
      robotId: 1n,
      name: 'robot$atelier-1a2b+member-9f',
      secret: 'secret-1',
      expiresAt: new Date('2100-01-01T00:00:00Z'),
    });
    expect(standIn.requests[1]).toMatchObject({
      method: 'POST',
      path: '/api/v2.0/robots',
      body: {
        name: 'member-9f',
        level: 'project',
        duration: 365,
        permissions: [
          {
            kind: 'project',
            namespace: 'atelier-1a2b',
            access: [
              { resource: 'repository', action: 'push' },
              { resource: 'repository', action: 'pull' },
            ],
          },
        ],
      },
    });
  });

  it('finds a robot with its end, and not one that is gone or switched off', async () => {
    await harbor.ensureProject('atelier-1a2b');
    await harbor.createRobot('atelier-1a2b', 'member-9f');
    expect(await harbor.findRobot(1n)).toEqual({ expiresAt: new Date('2100-01-01T00:00:00Z') });

    Object.assign(standIn.robots.get(1) ?? {}, { disable: true });
    expect(await harbor.findRobot(1n)).toBeUndefined();
    expect(await harbor.findRobot(7n)).toBeUndefined();
  });

  it('says of a robot that lasts that it has no end', async () => {
    standIn.answerNext({ status: 200, body: { id: 3, disable: false, expires_at: -1 } });

    expect(await harbor.findRobot(3n)).toEqual({ expiresAt: null });
  });

  it('has a secret renewed', async () => {
    await harbor.ensureProject('atelier-1a2b');
    await harbor.createRobot('atelier-1a2b', 'member-9f');

    expect(await harbor.refreshSecret(1n)).toBe(standIn.robots.get(1)?.secret);
    expect(standIn.requests.at(-1)).toMatchObject({ method: 'PATCH', path: '/api/v2.0/robots/1', body: { secret: '' } });
  });

  it.each([
    [401, 'credentials'],
    [403, 'forbidden'],
    [409, 'conflict'],
    [429, 'unreachable'],
    [500, 'unreachable'],
    [502, 'unreachable'],
    [404, 'unexpected'],
    [418, 'unexpected'],
  ])('answering %i to a new robot is %s', async (status, problem) => {
    standIn.answerNext({ status, body: { errors: [] } });

    expect(await problemOf(harbor.createRobot('atelier-1a2b', 'member-9f'))).toBe(problem);
  });

  it('knowing another password is a problem of credentials', async () => {
    const wrong = createHarbor({ url: standIn.url, username: HARBOR_USER.username, password: 'wrong' });

    expect(await problemOf(wrong.ensureProject('atelier-1a2b'))).toBe('credentials');
    expect(await problemOf(wrong.findRobot(1n))).toBe('credentials');
    expect(await problemOf(wrong.refreshSecret(1n))).toBe('credentials');
  });

  it.each([
    ['says nothing in time', 'silence', 'unreachable'],
    ['hangs up', 'cut', 'unreachable'],
    ['answers a page', { status: 201, body: '<html>' }, 'unexpected'],
    ['answers without a secret', { status: 201, body: { id: 1, name: 'robot' } }, 'unexpected'],
    ['answers an id that is none', { status: 201, body: { id: 'one', name: 'robot', secret: 's' } }, 'unexpected'],
    ['answers without end', { status: 201, body: 'x'.repeat(100_000) }, 'unexpected'],
    ['sends elsewhere', { status: 302, headers: { location: 'http://169.254.169.254/' } }, 'unexpected'],
  ] as const)('that %s is a problem', async (_how, answer, problem) => {
    standIn.answerNext(answer);

    expect(await problemOf(harbor.createRobot('atelier-1a2b', 'member-9f'))).toBe(problem);
    expect(standIn.requests).toHaveLength(1);
  });

  it('nobody listens for is unreachable', async () => {
    await standIn.close();

    expect(await problemOf(harbor.ensureProject('atelier-1a2b'))).toBe('unreachable');
  });

  it('is shown to docker by its host', () => {
    expect(harbor.host).toBe(standIn.host);
    expect(createHarbor({ url: 'https://harbor.example/', ...HARBOR_USER }).host).toBe('harbor.example');
  });
});
