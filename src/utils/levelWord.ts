import type { Word } from '@/utils/words';

const levelWords: readonly Word[] = ['frame.level.0', 'frame.level.1', 'frame.level.2', 'frame.level.3'];

/** What a membership level is called. */
export function levelWord(levelFlag: number): Word {
  return levelWords[levelFlag] ?? 'frame.level.0';
}
