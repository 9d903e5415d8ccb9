import type messages from '../locales/en-US';
import type { LoadFailureType } from './loadFailure';

/** The words that index.html carries itself, for what happens before any script of the console runs. */
export interface StartWords {
  title: string;
  description: string;
  failedTitle: string;
  failed: Record<LoadFailureType, string>;
  reload: string;
  noScript: string;
}

export function startWords(words: Readonly<Record<keyof typeof messages, string>>): StartWords {
  return {
    title: words['app.title'],
    description: words['app.description'],
    failedTitle: words['error.chunk.title'],
    failed: {
      timeout: words['error.chunk.timeout'],
      missing: words['error.chunk.missing'],
      error: words['error.chunk.error'],
    },
    reload: words['error.reload'],
    noScript: words['error.noScript'],
  };
}
