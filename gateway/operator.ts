import { userInfo } from 'node:os';
import { problemOf } from './locales/fieldProblems';
import { messageOf } from './locales/messages';
import { CommandRefused } from './operator/command';
import { commands } from './operator/commands';
import { type CommandLine, CommandLineError, helpOf, readCommandLine } from './operator/readCommandLine';
import { type OperatorDatabase, runProgram, say, withOperatorDatabase } from './operatorDatabase';
import { Refusal } from './refusal';
import type { Services } from './services';

/** Runs one of the operator's commands; a line that cannot be understood is answered with one sentence and exit code 2. */
async function main(): Promise<void> {
  const line = readLine(process.argv.slice(2));
  if (line === null) return;
  if (line.isHelp) {
    for (const help of helpOf(line.command, commands)) say(help);
    return;
  }
  const { command, options } = line;
  if ('runOffline' in command) {
    command.runOffline(say, options);
    return;
  }
  await withOperatorDatabase(`operator ${command.name}`, async (database) => {
    const services = lazily(() => loadServices(database));
    await inWords(() => command.run({ db: database.db, say, services, operator: userInfo().username }, options));
  });
}

/** Most commands need no service: the whole gateway is loaded only for those that do. */
function loadServices(database: OperatorDatabase): Promise<Services> {
  const { createOperatorServices }: typeof import('./operator/operatorServices') = require('./operator/operatorServices');
  return createOperatorServices(database);
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

/** What a service refuses, an operator reads in the words a member would. */
async function inWords(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { sentences, params, problems } = error.options;
    const problem = problems?.[0];
    const filled = problem ? { field: problem.field, problem: problemOf(problem, 'en-US') } : params;
    throw new CommandRefused(sentences?.['en-US'] ?? messageOf(error.error, 'en-US', filled), { cause: error });
  }
}

function readLine(words: readonly string[]): CommandLine | null {
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
