// node scripts/mock.mjs: Umi's development server, its mock files answered by the gateway in its own process on a throw-away
// database. What a mock file cannot carry (the terminal's WebSocket) goes to the port that gateway listens on.
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { createChildren } from './children.mjs';
import { ensureDependencies } from './prepare.mjs';
import { say } from './system.mjs';

const host = process.env.HOST || '127.0.0.1';
const port = Number(process.env.PORT || 8000);
const gatewayPort = port + 10;
const bundlers = [];
const children = createChildren(() => {
  for (const bundler of bundlers) bundler.dispose();
});

await ensureDependencies();
const bundle = await watchGateway();
const loader = ['-r', 'esbuild-register', 'gateway/testing/mockDatabase.ts'];
const database = children.start(process.execPath, loader, {}, ['ignore', 'pipe', 'inherit']);
for await (const line of createInterface({ input: database.stdout })) {
  const [, url] = /^database (.*)$/.exec(line) ?? [];
  if (!url) {
    say(line);
    continue;
  }
  startUmi(url);
  break;
}

function startUmi(databaseUrl) {
  children.start('node_modules/.bin/max', ['dev'], {
    HOST: host,
    PORT: String(port),
    GATEWAY_URL: `http://127.0.0.1:${gatewayPort}`,
    MOCK_PANEL: '1',
    MOCK_DATABASE_URL: databaseUrl,
    MOCK_GATEWAY_BUNDLE: bundle,
    MOCK_GATEWAY_PORT: String(gatewayPort),
  });
}

/** Bundled again at every edit; Umi takes it up when a mock file changes. Named .cjs, so that Umi's own compiler leaves it alone. */
async function watchGateway() {
  const { context } = await import('esbuild');
  const outfile = resolve('build/mock/mockGateway.cjs');
  const options = { bundle: true, packages: 'external', platform: 'node', target: 'node20', format: 'cjs', logLevel: 'warning' };
  const bundler = await context({ ...options, entryPoints: ['gateway/testing/mockGateway.ts'], outfile });
  await bundler.rebuild();
  await bundler.watch();
  bundlers.push(bundler);
  return outfile;
}
