// node scripts/dev.mjs: the gateway from its sources, started again when they change, behind Umi's development server.
import { createChildren } from './children.mjs';
import { ensureDependencies } from './prepare.mjs';
import { ensureSystemPackages, say } from './system.mjs';

const host = process.env.HOST || '127.0.0.1';
const port = Number(process.env.PORT || 8000);
const gatewayPort = port + 10;
const origin = `http://${host}:${port}`;

await ensureDependencies();
ensureSystemPackages({ isForTests: false });
const watched = ['--watch-path=gateway', '--watch-preserve-output', '-r', 'esbuild-register', 'gateway/main.ts'];
const children = createChildren();
children.start(process.execPath, watched, {
  HOST: host,
  PORT: String(gatewayPort),
  PUBLIC_URL: process.env.PUBLIC_URL || origin,
});
children.start('node_modules/.bin/max', ['dev'], {
  HOST: host,
  PORT: String(port),
  GATEWAY_URL: `http://${host}:${gatewayPort}`,
  MOCK: 'none',
});
say(`The console comes from ${origin}, the gateway behind it from port ${gatewayPort}.`);
