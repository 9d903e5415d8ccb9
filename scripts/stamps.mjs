import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** One hash over the names and contents of these files and folders. */
function hashOf(paths) {
  const hash = createHash('sha256').update(process.version);
  for (const path of paths) addTo(hash, path);
  return hash.digest('hex');
}

function addTo(hash, path) {
  if (!existsSync(path)) return;
  if (!statSync(path).isDirectory()) {
    hash.update(`${path}\0`).update(readFileSync(path));
    return;
  }
  for (const name of readdirSync(path).sort()) {
    if (!name.startsWith('.umi')) addTo(hash, join(path, name));
  }
}

/** Does `work` unless `stamp` says it was done for the very same content of `paths`, and `result` is still there. */
export async function doOnce({ stamp, paths, result }, work) {
  const hash = hashOf(paths);
  if (existsSync(result) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  await work();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, hash);
}
