import type { OperatorCommand, OperatorOption, OptionValues } from './command';

/** A command line nobody can follow; its message is the one sentence the operator reads. */
export class CommandLineError extends Error {
  override readonly name = 'CommandLineError';
}

type Options = OptionValues<OperatorCommand['options']>;
export type CommandLine =
  | { isHelp: true; command: OperatorCommand | null }
  | { isHelp: false; command: OperatorCommand; options: Options };

/** Finds the command of a line and reads its options. Throws `CommandLineError` for anything it does not know. */
export function readCommandLine(words: readonly string[], commands: readonly OperatorCommand[]): CommandLine {
  const isHelp = words.length === 0 || words.includes('--help') || words.includes('-h');
  const [domain, verb, ...rest] = words.filter((word) => word !== '--help' && word !== '-h');
  if (domain === undefined && isHelp) return { isHelp, command: null };
  const command = commands.find(({ name }) => name === `${domain} ${verb}`);
  if (!command)
    throw new CommandLineError(`There is no command ${[domain, verb].filter(Boolean).join(' ')}; --help lists them all.`);
  return isHelp ? { isHelp, command } : { isHelp, command, options: readOptions(rest, command) };
}

/** `--days 7` and `--days=7` say the same. */
function readOptions(words: readonly string[], { name: command, options }: OperatorCommand): Options {
  const defaults = Object.entries(options).map(([name, option]) => [name, option.kind === 'count' ? option.default : false]);
  const values: Record<string, number | boolean> = Object.fromEntries(defaults);
  const left = words.flatMap((word) =>
    /^--[^=]+=/.test(word) ? [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] : [word],
  );
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const option = Object.hasOwn(options, word.slice(2)) && word.startsWith('--') ? options[word.slice(2)] : undefined;
    if (!option) throw new CommandLineError(`${command} knows no ${word}; ${command} --help lists what it takes.`);
    values[word.slice(2)] = option.kind === 'switch' ? true : readCount(word, left.shift(), option);
  }
  return values;
}

function readCount(name: string, text: string | undefined, { min, max }: Extract<OperatorOption, { kind: 'count' }>): number {
  const count = /^\d{1,9}$/.test(text ?? '') ? Number(text) : Number.NaN;
  if (count >= min && count <= max) return count;
  throw new CommandLineError(`${name} is ${text ?? 'without a number'}; it must be a whole number from ${min} to ${max}.`);
}

/** What `--help` says: of all commands, or of one with its options. */
export function helpOf(command: OperatorCommand | null, commands: readonly OperatorCommand[]): string[] {
  const start = 'npm run operator --';
  if (!command) {
    const width = Math.max(...commands.map(({ name }) => name.length));
    const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
    return [`${start} <domain> <command> [options]`, '', ...lines, '', 'With --help after it, a command says what it takes.'];
  }
  const options = Object.entries(command.options).map(([name, option]): [string, string] =>
    option.kind === 'switch'
      ? [`--${name}`, option.meaning]
      : [`--${name} <${option.min}–${option.max}>`, `${option.meaning} (${option.default})`],
  );
  const width = Math.max(0, ...options.map(([name]) => name.length));
  return [
    `${start} ${command.name}`,
    command.summary,
    '',
    ...options.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`),
  ];
}
