import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartRefused } from '../startRefused';

/** Makes the data folder, for its owner alone, or finds it and may write in it. Throws `StartRefused`. */
export async function openDataFolder(dataDir: string): Promise<void> {
  const opened = makeFolder(dataDir).then(() => access(dataDir, constants.W_OK | constants.X_OK));
  await opened.catch((cause: Error) => {
    throw new StartRefused(`DATA_DIR cannot be used: ${cause.message}.`, { cause });
  });
}

/** Folder by folder: Node's own recursive mkdir never ends in /proc, where nothing can be made and nothing says so. */
async function makeFolder(path: string): Promise<void> {
  const failure = await tryMkdir(path);
  if (failure?.code === 'ENOENT' && dirname(path) !== path) {
    await makeFolder(dirname(path));
    await mkdir(path, { mode: 0o700 });
  } else if (failure?.code === 'EEXIST') {
    if (!(await stat(path)).isDirectory()) throw new Error(`${path} is a file`, { cause: failure });
  } else if (failure) throw failure;
}

function tryMkdir(path: string): Promise<NodeJS.ErrnoException | null> {
  return mkdir(path, { mode: 0o700 }).then(
    () => null,
    (error: NodeJS.ErrnoException) => error,
  );
}
