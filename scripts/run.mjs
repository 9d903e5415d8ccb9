// node scripts/run.mjs main|verify|operator …: makes everything ready and runs one of the gateway's programs in this very process, so
// that signals reach it directly.
import { createRequire } from 'node:module';
import { build, buildGateway } from './build.mjs';
import { ensureDependencies } from './prepare.mjs';
import { ensureSystemPackages, say } from './system.mjs';

const [program = 'main'] = process.argv.splice(2, 1);
try {
  await ensureDependencies();
  if (program === 'main') {
    ensureSystemPackages({ isForTests: false });
    await build();
  } else {
    await buildGateway();
  }
} catch (error) {
  say(error.message);
  process.exit(1);
}
process.setSourceMapsEnabled(true);
createRequire(import.meta.url)(`../build/gateway/${program}.js`);
