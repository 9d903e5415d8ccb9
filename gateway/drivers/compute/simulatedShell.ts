import { type CommandResult, runCommand, type ShellContext } from './simulatedCommands';
import { SimulatedFiles } from './simulatedFiles';

const escapeByte = String.fromCharCode(27);
const escapeSequence = new RegExp(`${escapeByte}(\\[[0-9;]*[A-Za-z~]|O[A-Z])`, 'g');

/** What a shell needs of the terminal around it. */
export interface ShellTerminal {
  print(text: string): void;
  /** True while nobody may be sent more, so an endless command waits. */
  isHeld(): boolean;
  exit(exitCode: number): void;
}

/** A small believable shell: a line editor, quoting, `$((…))`, variables, `;`, `&&`, `||`, `>`, `>>` and a few commands. */
export class SimulatedShell {
  private line = '';
  private readonly pending: string[] = [];
  private running: { name: string; timer: NodeJS.Timeout } | null = null;
  private isEnded = false;

  constructor(
    private readonly context: ShellContext,
    private readonly terminal: ShellTerminal,
  ) {}

  start(): void {
    this.prompt();
  }

  /** The foreground program, for `ps`. */
  get processName(): string {
    return this.running?.name ?? 'bash';
  }

  resize(cols: number, rows: number): void {
    this.context.size = { cols, rows };
  }

  end(): void {
    this.isEnded = true;
    if (this.running) clearTimeout(this.running.timer);
    this.running = null;
  }

  type(text: string): void {
    // Escape sequences (arrow keys) are not understood; dropping them whole keeps their letters off the line.
    for (const key of text.replace(escapeSequence, '')) {
      if (this.isEnded) return;
      this.press(key);
    }
  }

  private press(key: string): void {
    if (key === '\x03') {
      this.interrupt();
    } else if (this.running) {
      this.pending.push(key);
    } else if (key === '\r' || key === '\n') {
      const line = this.line;
      this.line = '';
      this.terminal.print('\r\n');
      this.runLine(line);
    } else if (key === '\x7f' || key === '\b') {
      if (this.line === '') return;
      this.line = [...this.line].slice(0, -1).join('');
      this.terminal.print('\b \b');
    } else if (key === '\x15') {
      this.terminal.print('\b \b'.repeat([...this.line].length));
      this.line = '';
    } else if (key === '\x04') {
      if (this.line === '') this.exit(this.context.lastExitCode);
    } else if (key >= ' ') {
      this.line += key;
      this.terminal.print(key);
    }
  }

  private interrupt(): void {
    if (this.running) clearTimeout(this.running.timer);
    this.running = null;
    this.pending.length = 0;
    this.line = '';
    this.context.lastExitCode = 130;
    this.terminal.print('^C\r\n');
    this.prompt();
  }

  private runLine(line: string): void {
    let isSkipped = false;
    for (const { text, joint } of splitStatements(line)) {
      const shouldRun = joint === '&&' ? this.context.lastExitCode === 0 : joint === '||' ? this.context.lastExitCode !== 0 : true;
      if (!shouldRun || isSkipped || text.trim() === '') continue;
      isSkipped = this.runStatement(text);
      if (this.isEnded) return;
    }
    if (!this.running) this.prompt();
  }

  /** True when it started a program that runs on, which ends the line. */
  private runStatement(text: string): boolean {
    const { words, redirect } = readStatement(expand(text, this.context));
    const [name] = words;
    if (name === 'exit') {
      this.exit(Number(words[1] ?? this.context.lastExitCode) & 255);
      return true;
    }
    if (name === 'yes') return this.repeat(`${words[1] ?? 'y'}\r\n`.repeat(1000));
    if (name === 'sleep') return this.sleep(Number(words[1]) * 1000);
    const result = words.length > 0 ? runCommand(this.context, words) : { out: '', exitCode: 0 };
    this.context.lastExitCode = result.exitCode;
    if (redirect) this.write(redirect, result);
    else this.terminal.print(result.out.replace(/\n/g, '\r\n'));
    return false;
  }

  private write(redirect: { path: string; mode: 'replace' | 'append' }, result: CommandResult): void {
    const path = this.context.files.resolve(this.context.cwd, redirect.path);
    if (this.context.files.write(path, result.out, redirect.mode)) return;
    this.context.lastExitCode = 1;
    this.terminal.print(`bash: ${redirect.path}: Permission denied\r\n`);
  }

  private repeat(block: string): boolean {
    const turn = () => {
      if (!this.terminal.isHeld()) this.terminal.print(block);
      this.running = { name: 'yes', timer: setTimeout(turn, 5) };
    };
    turn();
    return true;
  }

  private sleep(ms: number): boolean {
    const wake = () => {
      this.running = null;
      this.context.lastExitCode = 0;
      this.prompt();
      this.type(this.pending.splice(0).join(''));
    };
    this.running = { name: 'sleep', timer: setTimeout(wake, Math.min(ms || 0, 2 ** 31 - 1)) };
    return true;
  }

  private exit(exitCode: number): void {
    this.terminal.print('exit\r\n');
    this.end();
    this.terminal.exit(exitCode);
  }

  private prompt(): void {
    const { cwd, hostname } = this.context;
    const { home } = SimulatedFiles;
    const shown = cwd === home || cwd.startsWith(`${home}/`) ? `~${cwd.slice(home.length)}` : cwd;
    this.terminal.print(`lab@${hostname}:${shown}$ `);
  }
}

/** Splits at `;`, `&&` and `||` outside quotes; `joint` is what stood before. */
function splitStatements(line: string): { text: string; joint: string }[] {
  const statements = [{ text: '', joint: ';' }];
  for (const [part] of line.matchAll(/'[^']*'|"[^"]*"|&&|\|\||;|[^'"&|;]+|./g)) {
    const last = statements[statements.length - 1];
    if (part === ';' || part === '&&' || part === '||') statements.push({ text: '', joint: part });
    else if (last) last.text += part;
  }
  return statements;
}

function expand(text: string, context: ShellContext): string {
  // Quoted by single quotes stays as it is; that alternative comes first.
  return text.replace(/'[^']*'|\$\(\(([^()]*)\)\)|\$\{?([A-Za-z_]\w*|\?)\}?/g, (whole, sum?: string, name?: string) => {
    if (sum !== undefined) return String(calculate(sum));
    if (name === '?') return String(context.lastExitCode);
    return name === undefined ? whole : (context.variables.get(name) ?? '');
  });
}

function readStatement(text: string): { words: string[]; redirect: { path: string; mode: 'replace' | 'append' } | null } {
  const words: string[] = [];
  let redirect: { path: string; mode: 'replace' | 'append' } | null = null;
  let awaited: 'replace' | 'append' | null = null;
  for (const [part] of text.matchAll(/>>?|(?:'[^']*'|"[^"]*"|[^\s'">])+/g)) {
    if (part === '>' || part === '>>') {
      awaited = part === '>' ? 'replace' : 'append';
      continue;
    }
    const word = part.replace(/'([^']*)'|"([^"]*)"/g, (_whole, single?: string, double?: string) => single ?? double ?? '');
    if (awaited) redirect = { path: word, mode: awaited };
    else words.push(word);
    awaited = null;
  }
  return { words, redirect };
}

/** Whole-number arithmetic of `$((…))` with the usual precedence, without brackets. */
function calculate(text: string): number {
  const tokens = text.match(/\d+|[-+*/%]/g) ?? [];
  const sums: number[] = [Number(tokens[0] ?? 0)];
  for (let index = 1; index + 1 < tokens.length; index += 2) {
    const right = Number(tokens[index + 1]);
    const left = sums.pop() ?? 0;
    if (tokens[index] === '*') sums.push(left * right);
    else if (tokens[index] === '/') sums.push(right === 0 ? 0 : Math.trunc(left / right));
    else if (tokens[index] === '%') sums.push(right === 0 ? 0 : left % right);
    else sums.push(left, tokens[index] === '-' ? -right : right);
  }
  return sums.reduce((total, term) => total + term, 0);
}
