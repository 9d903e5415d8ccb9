// node scripts/testEngines.mjs: the one contract suite over every engine, containers with real daemons of Docker and Podman. Needs root on a system with
// apt; installs what is missing, starts daemons of its own with folders of their own, asks no registry. A test that is skipped is a failure.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDaemons } from './engines/daemons.mjs';
import { packLabImage } from './engines/labImage.mjs';
import { ensureDependencies } from './prepare.mjs';
import { ensureSystemPackages, run, say } from './system.mjs';

const LAB_IMAGE = 'localhost/atelier/lab:tests';

function readReport(file) {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites, skipped: numPendingTests + numTodoTests };
}

async function main() {
  await ensureDependencies();
  ensureSystemPackages({ isForTests: false });
  const folder = mkdtempSync(join(tmpdir(), 'atelier-engines-'));
  const daemons = await startDaemons(folder);
  try {
    await daemons.importImage(packLabImage(join(folder, 'image')), LAB_IMAGE);
    const report = join(folder, 'report.json');
    const env = {
      ...{ ATELIER_DOCKER_SOCKET: daemons.docker, ATELIER_PODMAN_SOCKET: daemons.podman, ATELIER_LAB_IMAGE: LAB_IMAGE },
      // Jest alone loads modules of both kinds with it.
      ...{ FORCE_COLOR: '0' },
    };
    const wanted = process.argv.slice(2);
    const args = ['-c', 'scripts/engines/jest.config.mjs', '--runInBand', '--json', `--outputFile=${report}`, ...wanted];
    const { output } = await run('node_modules/.bin/jest', args, { env });
    const counted = readReport(report);
    if (counted.failed > 0) say(output);
    say(`${counted.passed} passed, ${counted.failed} failed, ${counted.skipped} skipped`);
    if (counted.skipped > 0) say('A skipped test proves nothing, so it counts as failed.');
    if (counted.failed + counted.skipped > 0 || counted.passed === 0) process.exitCode = 1;
  } finally {
    await daemons.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error) => {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
