import type { SimulatedFiles } from './simulatedFiles';

/** What a command of the simulated shell sees of its lab. */
export interface ShellContext {
  files: SimulatedFiles;
  cwd: string;
  hostname: string;
  size: { cols: number; rows: number };
  lastExitCode: number;
  variables: Map<string, string>;
  processNames(): readonly string[];
}

export interface CommandResult {
  out: string;
  exitCode: number;
}

type Command = (context: ShellContext, words: readonly string[]) => CommandResult;

const ok = (out = ''): CommandResult => ({ out, exitCode: 0 });
const fail = (message: string, exitCode = 1): CommandResult => ({ out: `${message}\n`, exitCode });

/** Runs one command that prints and returns at once. */
export function runCommand(context: ShellContext, words: readonly string[]): CommandResult {
  const [name = '', ...rest] = words;
  const assignment = /^([A-Za-z_]\w*)=(.*)$/s.exec(name);
  if (assignment?.[1] && rest.length === 0) {
    context.variables.set(assignment[1], assignment[2] ?? '');
    return ok();
  }
  const command = commands.get(name);
  return command ? command(context, rest) : fail(`bash: ${name}: command not found`, 127);
}

/** The names the simulated shell knows, for its `help`. */
export const commandNames = (): string[] => [...commands.keys(), 'exit', 'sleep', 'yes'].sort();

const commands = new Map<string, Command>([
  ['echo', (_context, words) => (words[0] === '-n' ? ok(words.slice(1).join(' ')) : ok(`${words.join(' ')}\n`))],
  ['pwd', (context) => ok(`${context.cwd}\n`)],
  ['cd', changeFolder],
  ['ls', listFolder],
  ['cat', (context, words) => eachFile(context, words, 'cat', (path) => context.files.read(path))],
  ['wc', countBytes],
  [
    'touch',
    (context, words) => eachFile(context, words, 'touch', (path) => (context.files.write(path, '', 'append') ? '' : undefined)),
  ],
  ['mkdir', (context, words) => eachFile(context, words, 'mkdir', (path) => (context.files.makeFolder(path) ? '' : undefined))],
  ['rm', deleteFiles],
  ['whoami', () => ok('lab\n')],
  ['id', () => ok('uid=1000(lab) gid=1000(lab) groups=1000(lab)\n')],
  ['hostname', (context) => ok(`${context.hostname}\n`)],
  ['uname', () => ok('Linux\n')],
  [
    'ps',
    (context) =>
      ok(
        `  PID CMD\n${context
          .processNames()
          .map((name, index) => `${String(index + 1).padStart(5)} ${name}\n`)
          .join('')}`,
      ),
  ],
  [
    'seq',
    (_context, words) =>
      ok(Array.from({ length: Math.min(Number(words[0]) || 0, 100_000) }, (_item, index) => `${index + 1}\n`).join('')),
  ],
  ['stty', (context, words) => (words[0] === 'size' ? ok(`${context.size.rows} ${context.size.cols}\n`) : ok())],
  ['clear', () => ok('\x1b[H\x1b[2J\x1b[3J')],
  ['true', () => ok()],
  ['false', () => ({ out: '', exitCode: 1 })],
  ['help', () => ok(`A simulated shell. It knows: ${commandNames().join(' ')}\n`)],
]);

function changeFolder(context: ShellContext, words: readonly string[]): CommandResult {
  const path = context.files.resolve(context.cwd, words[0] ?? '~');
  if (!context.files.isFolder(path)) return fail(`bash: cd: ${words[0]}: No such file or directory`);
  context.cwd = path;
  return ok();
}

function listFolder(context: ShellContext, words: readonly string[]): CommandResult {
  const isAll = words.some((word) => /^-\w*[aA]/.test(word));
  const isLong = words.some((word) => /^-\w*[l1]/.test(word));
  const target = words.find((word) => !word.startsWith('-')) ?? '.';
  const path = context.files.resolve(context.cwd, target);
  if (!context.files.has(path)) return fail(`ls: cannot access '${target}': No such file or directory`, 2);
  if (!context.files.isFolder(path)) return ok(`${target}\n`);
  const names = context.files.list(path).filter((name) => isAll || !name.startsWith('.'));
  return ok(names.length > 0 ? `${names.join(isLong ? '\n' : '  ')}\n` : '');
}

function eachFile(
  context: ShellContext,
  words: readonly string[],
  name: string,
  act: (path: string) => string | undefined,
): CommandResult {
  let out = '';
  let exitCode = 0;
  for (const word of words.filter((each) => !each.startsWith('-'))) {
    const made = act(context.files.resolve(context.cwd, word));
    if (made === undefined) exitCode = 1;
    out += made ?? `${name}: ${word}: No such file or directory\n`;
  }
  return { out, exitCode };
}

function countBytes(context: ShellContext, words: readonly string[]): CommandResult {
  const file = words.find((word) => !word.startsWith('-')) ?? '';
  const content = context.files.read(context.files.resolve(context.cwd, file));
  if (content === undefined) return fail(`wc: ${file}: No such file or directory`);
  return ok(`${words.includes('-l') ? content.split('\n').length - 1 : Buffer.byteLength(content)} ${file}\n`);
}

function deleteFiles(context: ShellContext, words: readonly string[]): CommandResult {
  const isRecursive = words.some((word) => /^-\w*r/.test(word));
  const isForced = words.some((word) => /^-\w*f/.test(word));
  return eachFile(context, words, 'rm', (path) => (context.files.delete(path, isRecursive) || isForced ? '' : undefined));
}
