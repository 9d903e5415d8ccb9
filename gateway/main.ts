import { ConfigError, readConfig } from './config';
import { pause } from './db/pause';
import { armFailpoint } from './failpoint';
import { findConsole } from './findConsole';
import { type Gateway, startGateway } from './gateway';
import { createLog } from './log';
import { StartRefused } from './startRefused';

/** A start asked to stop has this long to undo itself; what it leaves then, the next one takes over. */
const UNDO_LIMIT_MS = 10_000;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(): Promise<void> {
  const config = readConfig();
  if (config.failpoint) armFailpoint(config.failpoint);
  const stop = new AbortController();
  let askToStop: (exitCode: number) => void = () => undefined;
  const asked = new Promise<number>((resolve) => {
    askToStop = resolve;
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => askToStop(0));

  const options = { consoleFolder: findConsole(__dirname), onLost: () => askToStop(1), signal: stop.signal };
  const starting = startGateway(config, createLog(config), options);
  const gateway = await Promise.race([starting, asked]);
  if (typeof gateway === 'number') {
    stop.abort();
    await Promise.race([undone(starting), pause(UNDO_LIMIT_MS)]);
    process.exit(gateway);
  }
  say(`Atelier is ready on ${gateway.url}`);
  for (const line of gateway.signInHints) say(line);

  const exitCode = await asked;
  await gateway.stop();
  process.exit(exitCode);
}

/** A start that was no longer wanted is over; one that failed meanwhile has undone itself. */
async function undone(starting: Promise<Gateway>): Promise<void> {
  const gateway = await starting.catch(() => null);
  await gateway?.stop();
}

main().catch((error: unknown) => {
  if (!(error instanceof ConfigError || error instanceof StartRefused)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
