import { commands } from './operator/commands';
import { CommandLineError, helpOf, readCommandLine } from './operator/readCommandLine';
import { runProgram, say, withOperatorDatabase } from './operatorDatabase';

/** Runs one of the operator's commands; a line that cannot be understood is answered with one sentence and exit code 2. */
async function main(): Promise<void> {
  const line = readLine(process.argv.slice(2));
  if (line === null) return;
  if (line.isHelp) {
    for (const help of helpOf(line.command, commands)) say(help);
    return;
  }
  await withOperatorDatabase(`operator ${line.command.name}`, (db) => line.command.run({ db, say }, line.options));
}

function readLine(words: readonly string[]) {
  try {
    return readCommandLine(words, commands);
  } catch (error) {
    if (!(error instanceof CommandLineError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
    return null;
  }
}

runProgram(main);
