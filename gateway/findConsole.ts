import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The built console of the project that the program in `folder` belongs to, wherever in it it was built to; null without one. */
export function findConsole(folder: string): string | null {
  if (existsSync(join(folder, 'package.json'))) {
    const built = join(folder, 'dist');
    return existsSync(join(built, 'index.html')) ? built : null;
  }
  return dirname(folder) === folder ? null : findConsole(dirname(folder));
}
