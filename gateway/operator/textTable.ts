type Cell = string | number | null;

/** Rows under a heading, in columns as wide as they need to be, numbers to the right; nothing at all without rows. */
export function textTable<K extends string>(
  heading: string,
  rows: readonly Readonly<Record<NoInfer<K>, Cell>>[],
  columns: readonly K[],
): string[] {
  if (rows.length === 0) return [];
  const grid = [columns.map(wordsOf), ...rows.map((row) => columns.map((column) => String(row[column] ?? '–')))];
  const isNumeric = columns.map((column) => rows.every((row) => typeof row[column] === 'number'));
  const widths = columns.map((_, index) => Math.max(...grid.map((line) => line[index]?.length ?? 0)));
  const lines = grid.map((line) =>
    line.map((cell, index) => (isNumeric[index] ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0))),
  );
  return ['', heading, ...lines.map((line) => `  ${line.join('  ').trimEnd()}`)];
}

/** `signedInVisits` → `signed in visits`. */
function wordsOf(column: string): string {
  return column.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
