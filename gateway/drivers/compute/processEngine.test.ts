import { join } from 'node:path';
import { describeComputeEngine, type EngineUnderTest } from './computeEngine.suite';
import { openProcessFixture, type ProcessFixtureOptions } from './testing/processFixture';

const isRoot = process.getuid?.() === 0;

async function make(options: ProcessFixtureOptions): Promise<EngineUnderTest> {
  const fixture = await openProcessFixture(options);
  return {
    engine: fixture.engine,
    passTime: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    engineBytes: () => fixture.supervisorResidentBytes(),
    homes: join(fixture.dataDir, 'homes'),
    hiddenPaths: [fixture.dataDir, process.cwd()],
    close: () => fixture.close(),
  };
}

// Limits are polled here and kept by cgroups where the host has them, which `processEngine.cgroup.test.ts` runs.
const polled = {
  memoryLimit: 'polled',
  diskLimit: 'polled',
  cpuLimit: 'affinity',
  survivesGatewayRestart: true,
  hasImages: false,
  saveImage: 'home',
} as const;

describeComputeEngine(
  'the process engine in namespaces, by an ordinary uid',
  { ...polled, isolation: 'namespaces', network: 'none' },
  () => make({ isPlainUid: isRoot, settings: { limits: 'polled' } }),
);

describeComputeEngine('the process engine without isolation', { ...polled, isolation: 'none', network: 'egress' }, () =>
  make({ isPlainUid: isRoot, settings: { limits: 'polled', isolation: 'none' } }),
);
