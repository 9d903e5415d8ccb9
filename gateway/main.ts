import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError, readConfig } from './config';
import { startGateway } from './gateway';
import { createLog } from './log';
import { StartRefused } from './startRefused';

/** The built console beside this program: in the project's root, wherever the program itself was built to. */
function findConsole(): string | null {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  const built = join(folder, 'dist');
  return existsSync(join(built, 'index.html')) ? built : null;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(): Promise<void> {
  const config = readConfig();
  let askToStop: (exitCode: number) => void = () => undefined;
  const asked = new Promise<number>((resolve) => {
    askToStop = resolve;
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => askToStop(0));

  const gateway = await startGateway(config, createLog(config), { consoleFolder: findConsole(), onLost: () => askToStop(1) });
  say(`Atelier is ready on ${gateway.url}`);
  for (const line of gateway.signInHints) say(line);

  const exitCode = await asked;
  await gateway.stop();
  process.exit(exitCode);
}

main().catch((error: unknown) => {
  if (!(error instanceof ConfigError || error instanceof StartRefused)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
