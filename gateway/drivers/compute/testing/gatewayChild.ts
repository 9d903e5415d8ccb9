import pino from 'pino';
import { createProcessEngine } from '../processEngine';
import { startLab } from './labFixtures';
import { TerminalProbe } from './terminalProbe';

/** A gateway in miniature, to be killed: opens the engine, starts a lab, leaves a word in its terminal, and waits. */
async function play(dataDir: string): Promise<void> {
  const engine = createProcessEngine({
    dataDir,
    log: pino({ level: 'silent' }),
    isUnsandboxedAllowed: async () => true,
    settings: { minFreeMemoryBytes: 0, idleExitMs: 2000 },
  });
  await engine.open();
  const { ref } = await startLab(engine);
  const shell = await TerminalProbe.ready(engine, ref);
  await shell.run('WORD=survived');
  process.stdout.write(`${ref}\n`);
}

play(process.argv[2] ?? '').catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
