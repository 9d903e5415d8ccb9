import type { AnyCommand, OperatorOption, OptionValues } from './command';

/** A command line nobody can follow; its message is the one sentence the operator reads. */
export class CommandLineError extends Error {
  override readonly name = 'CommandLineError';
}

type Options = OptionValues<AnyCommand['options']>;
export type CommandLine = { isHelp: true; command: AnyCommand | null } | { isHelp: false; command: AnyCommand; options: Options };

/** Finds the command of a line and reads its options. Throws `CommandLineError` for anything it does not know. */
export function readCommandLine(words: readonly string[], commands: readonly AnyCommand[]): CommandLine {
  const isHelp = words.length === 0 || words.includes('--help') || words.includes('-h');
  const [domain, verb, ...rest] = words.filter((word) => word !== '--help' && word !== '-h');
  if (domain === undefined && isHelp) return { isHelp, command: null };
  const command = commands.find(({ name }) => name === `${domain} ${verb}`);
  if (!command)
    throw new CommandLineError(`There is no command ${[domain, verb].filter(Boolean).join(' ')}; --help lists them all.`);
  return isHelp ? { isHelp, command } : { isHelp, command, options: readOptions(rest, command) };
}

/** `--days 7` and `--days=7` say the same. */
function readOptions(words: readonly string[], { name: command, options }: AnyCommand): Options {
  const values: Record<string, number | boolean | string | undefined> = {};
  for (const [name, option] of Object.entries(options)) values[name] = option.kind === 'switch' ? false : option.default;
  const left = words.flatMap((word) =>
    /^--[^=]+=/.test(word) ? [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] : [word],
  );
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const option = Object.hasOwn(options, word.slice(2)) && word.startsWith('--') ? options[word.slice(2)] : undefined;
    if (!option) throw new CommandLineError(`${command} knows no ${word}; ${command} --help lists what it takes.`);
    values[word.slice(2)] = option.kind === 'switch' ? true : readValue(word, left.shift(), option);
  }
  const missing = Object.keys(options).find((name) => values[name] === undefined);
  if (missing !== undefined) throw new CommandLineError(`${command} needs --${missing}; ${command} --help lists what it takes.`);
  return values as Options;
}

function readValue(name: string, text: string | undefined, option: Exclude<OperatorOption, { kind: 'switch' }>): number | string {
  return option.kind === 'count' ? readCount(name, text, option) : readText(name, text, option.max);
}

/** Text that begins like an option is one whose own text was forgotten. */
function readText(name: string, text: string | undefined, max: number): string {
  const trimmed = (text ?? '').trim();
  if (trimmed !== '' && trimmed.length <= max && !trimmed.startsWith('--')) return trimmed;
  throw new CommandLineError(`${name} needs text of 1 to ${max} characters.`);
}

function readCount(name: string, text: string | undefined, { min, max }: Extract<OperatorOption, { kind: 'count' }>): number {
  const count = /^\d{1,9}$/.test(text ?? '') ? Number(text) : Number.NaN;
  if (count >= min && count <= max) return count;
  throw new CommandLineError(`${name} is ${text ?? 'without a number'}; it must be a whole number from ${min} to ${max}.`);
}

/** What `--help` says: of all commands, or of one with its options. */
export function helpOf(command: AnyCommand | null, commands: readonly AnyCommand[]): string[] {
  const start = 'npm run operator --';
  if (!command) {
    const width = Math.max(...commands.map(({ name }) => name.length));
    const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
    return [`${start} <domain> <command> [options]`, '', ...lines, '', 'With --help after it, a command says what it takes.'];
  }
  const options = Object.entries(command.options).map(([name, option]) => helpOfOption(name, option));
  const width = Math.max(0, ...options.map(([name]) => name.length));
  return [
    `${start} ${command.name}`,
    command.summary,
    '',
    ...options.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`),
  ];
}

function helpOfOption(name: string, option: OperatorOption): [string, string] {
  if (option.kind === 'switch') return [`--${name}`, option.meaning];
  const usual = option.default === undefined || option.default === '' ? '' : ` (${option.default})`;
  const value = option.kind === 'text' ? 'text' : `${option.min}–${option.max}`;
  return [`--${name} <${value}>`, `${option.meaning}${usual}`];
}
