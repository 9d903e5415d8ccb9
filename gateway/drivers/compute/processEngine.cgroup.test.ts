import { join } from 'node:path';
import type { EngineUnderTest } from './computeEngine.suite';
import { probeCgroups } from './supervisor/cgroups';
import { describeLimits } from './testing/limits.suite';
import { openProcessFixture } from './testing/processFixture';
import { describeSurroundings } from './testing/surroundings.suite';

jest.setTimeout(60_000);

const probed = process.getuid?.() === 0 ? probeCgroups('test-probe') : null;
const hasCgroups = probed !== null;
probed?.close();

// Only a host that lets us write cgroups can show hard limits; elsewhere the engine must declare that it polls.
describe('the process engine by root, with all the host offers', () => {
  let subject: EngineUnderTest;

  beforeAll(async () => {
    const fixture = await openProcessFixture();
    subject = {
      engine: fixture.engine,
      passTime: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      engineBytes: () => fixture.supervisorResidentBytes(),
      homes: join(fixture.dataDir, 'homes'),
      hiddenPaths: [fixture.dataDir, process.cwd()],
      close: () => fixture.close(),
    };
  });

  afterAll(() => subject.close());

  it('declares hard limits where cgroups can be written, and polled ones elsewhere', async () => {
    const { memoryLimit, cpuLimit, isolation } = await subject.engine.capabilities();

    expect({ memoryLimit, cpuLimit, isolation }).toEqual(
      hasCgroups
        ? { memoryLimit: 'hard', cpuLimit: 'quota', isolation: 'namespaces' }
        : { memoryLimit: 'polled', cpuLimit: 'affinity', isolation: 'namespaces' },
    );
  });

  const claims = {
    isolation: 'namespaces',
    cpuLimit: hasCgroups ? 'quota' : 'affinity',
    memoryLimit: hasCgroups ? 'hard' : 'polled',
    diskLimit: 'polled',
    network: 'none',
    survivesGatewayRestart: true,
    hasImages: false,
    saveImage: 'home',
  } as const;
  describeLimits(() => subject, claims);
  // By root its folders are staged, which an ordinary uid's are not.
  describeSurroundings(() => subject, claims);
});
