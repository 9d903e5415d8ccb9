/** A variable as it is typed; the number keeps a row's fields apart from another's while both are empty. */
export interface EnvRow {
  row: number;
  name: string;
  value: string;
}

/** What is wrong with the variables, by the row it is about; null when nothing is. */
export type EnvProblem = 'name' | 'twice' | 'many' | 'long';

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const LINE = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=(.*)$/;

export function rowsOf(env: Readonly<Record<string, string>>): EnvRow[] {
  return Object.entries(env).map(([name, value], row) => ({ row, name, value }));
}

/** What is sent: a row in which nothing stands is none. */
export function envOf(rows: readonly EnvRow[]): Record<string, string> {
  return Object.fromEntries(rows.filter(isFilled).map(({ name, value }) => [name.trim(), value]));
}

function isFilled({ name, value }: EnvRow): boolean {
  return name.trim() !== '' || value !== '';
}

export function problemOf(rows: readonly EnvRow[], most: { names: number; valueLength: number }): EnvProblem | null {
  const filled = rows.filter(isFilled);
  const names = filled.map(({ name }) => name.trim());
  if (names.some((name) => !NAME.test(name))) return 'name';
  if (new Set(names).size < names.length) return 'twice';
  if (filled.some(({ value }) => value.length > most.valueLength)) return 'long';
  return filled.length > most.names ? 'many' : null;
}

function unquoted(value: string): string {
  const quoted = /^(["'])(.*)\1$/.exec(value.trim());
  return quoted?.[2] ?? value.trim();
}

/** Lines as a `.env` file or a shell has them; comments and empty lines are passed over, a name that is there already is replaced. */
export function withLines(rows: readonly EnvRow[], lines: string): { rows: EnvRow[]; unread: number } {
  const byName = new Map(rows.filter(isFilled).map(({ name, value }) => [name, value]));
  let unread = 0;
  for (const line of lines.split(/\r?\n/)) {
    if (line.trim() === '' || line.trim().startsWith('#')) continue;
    const [, name, value] = LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) unread += 1;
    else byName.set(name, unquoted(value));
  }
  return { rows: [...byName].map(([name, value], row) => ({ row, name, value })), unread };
}
