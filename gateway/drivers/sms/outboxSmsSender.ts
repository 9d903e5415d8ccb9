import { mkdir, open, readdir, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import type { Clock } from '../../clock';
import type { SmsSender } from './smsSender';

export const OUTBOX_KEPT_MS = 24 * 3_600_000;

/** The instant a message was written, first in its file's name: the folder sorts by time and a purge opens no file. */
const WRITTEN_AT = /^(\d{13})-/;

/**
 * Delivery to files in `DATA_DIR/outbox`, one JSON file a message: `{channel, to, scene, text, code, at}`. The folder is for its
 * owner alone, a file appears whole or not at all, and none is kept longer than a day.
 */
export function createOutboxSmsSender({ dataDir, clock }: { dataDir: string; clock: Clock }): SmsSender {
  const folder = join(dataDir, 'outbox');

  return {
    async send(message) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const atMs = clock.nowMs();
      // Of two messages in one millisecond the first one sorts first.
      const name = `${String(atMs).padStart(13, '0')}-${uuidv7()}`;
      const unfinished = join(folder, `${name}.part`);
      const { to, scene, text, code } = message;
      await writeDurably(
        unfinished,
        `${JSON.stringify({ channel: 'sms', to, scene, text, code, at: new Date(atMs).toISOString() }, null, 2)}\n`,
      );
      await rename(unfinished, join(folder, `${name}.json`));
    },

    async purge() {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [];
        throw error;
      });
      const old = names.filter((name) => Number(WRITTEN_AT.exec(name)?.[1] ?? Number.NaN) <= clock.nowMs() - OUTBOX_KEPT_MS);
      await Promise.all(old.map((name) => unlink(join(folder, name))));
      return old.length;
    },
  };
}

async function writeDurably(path: string, content: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}
