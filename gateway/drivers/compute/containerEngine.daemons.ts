import { join } from 'node:path';
import { describeComputeEngine, type EngineUnderTest } from './computeEngine.suite';
import { openProcessFixture } from './testing/processFixture';

// Needs real daemons, which `npm run test:engines` starts and names.
const daemons = { Docker: process.env.ATELIER_DOCKER_SOCKET, Podman: process.env.ATELIER_PODMAN_SOCKET };

const claims = {
  isolation: 'container',
  cpuLimit: 'quota',
  memoryLimit: 'hard',
  diskLimit: 'polled',
  network: 'none',
  survivesGatewayRestart: true,
  hasImages: true,
  saveImage: 'rootfs',
} as const;

async function make(containerSocket: string): Promise<EngineUnderTest> {
  const fixture = await openProcessFixture({ containerSocket });
  return {
    engine: fixture.engine,
    passTime: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    engineBytes: () => fixture.supervisorResidentBytes(),
    homes: join(fixture.dataDir, 'homes'),
    hiddenPaths: [fixture.dataDir, process.cwd(), containerSocket, '/var/run/docker.sock'],
    close: () => fixture.close(),
  };
}

for (const [name, socket] of Object.entries(daemons)) {
  describeComputeEngine(`the container engine with ${name}`, claims, () => {
    if (!socket) throw new Error(`no socket of ${name} was named`);
    return make(socket);
  });
}
