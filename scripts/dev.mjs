// node scripts/dev.mjs: the gateway from its sources, started again when they change, behind Umi's development server.
import { spawn } from 'node:child_process';
import { ensureDependencies } from './prepare.mjs';
import { ensureSystemPackages, say } from './system.mjs';

const host = process.env.HOST || '127.0.0.1';
const port = Number(process.env.PORT || 8000);
const gatewayPort = port + 10;
const origin = `http://${host}:${port}`;

await ensureDependencies();
ensureSystemPackages({ isForTests: false });
const watched = ['--watch-path=gateway', '--watch-preserve-output', '-r', 'esbuild-register', 'gateway/main.ts'];
const gateway = start(process.execPath, watched, {
  HOST: host,
  PORT: String(gatewayPort),
  PUBLIC_URL: process.env.PUBLIC_URL || origin,
});
const umi = start('node_modules/.bin/max', ['dev'], {
  HOST: host,
  PORT: String(port),
  GATEWAY_URL: `http://${host}:${gatewayPort}`,
  MOCK: 'none',
});
say(`The console comes from ${origin}, the gateway behind it from port ${gatewayPort}.`);

function start(command, args, env) {
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } });
  child.on('exit', (code) => stop(code ?? 0));
  return child;
}

let isStopping = false;
function stop(code) {
  if (isStopping) return;
  isStopping = true;
  for (const child of [gateway, umi]) child.kill('SIGTERM');
  process.exitCode = code;
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(0));
