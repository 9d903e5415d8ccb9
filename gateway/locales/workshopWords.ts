import type { Language } from './messages';
import enUS from './workshop.en-US';
import zhCN from './workshop.zh-CN';

/** Why a workshop is FAILED; the hint shown for it stands under the same name. */
export const failureCodes = [
  'START_FAILED',
  'START_TIMEOUT',
  'OUT_OF_MEMORY',
  'DISK_FULL',
  'ENGINE_LOST',
  'VANISHED',
  'ENGINE_UNSANDBOXED',
  'ENGINE_IMAGE',
  'ENGINE_CAPACITY',
  'ENGINE_DISK_FULL',
  'ENGINE_ERROR',
  'IMAGE_FILES',
] as const;
export type FailureCode = (typeof failureCodes)[number];

type Word =
  | FailureCode
  | 'specCores'
  | 'specMemory'
  | 'specRetired'
  | 'imageCommands'
  | 'imageRetired'
  | 'engineUnreachable'
  | 'noneFits'
  | 'customFits'
  | 'rateCeiling'
  | 'waitsForEngine'
  | 'waitsForEarlierRun'
  | 'lost'
  | 'deleteFailed'
  | 'fillingHome'
  | 'pulling'
  | 'engineNoNetwork'
  | 'levelAllowsMore';

/** What the gateway says about workshops beyond the sentences of its error codes. */
export type WorkshopWords = Readonly<Record<Word, string>>;

const words: Readonly<Record<Language, WorkshopWords>> = { 'en-US': enUS, 'zh-CN': zhCN };

export function wordOf(word: Word, language: Language, params: Readonly<Record<string, string | number>> = {}): string {
  return words[language][word].replace(/\{(\w+)\}/g, (hole, name: string) => String(params[name] ?? hole));
}

/** The same sentence in every language, for a refusal that is worded where the language is known. */
export function sentencesOf(
  word: Word,
  params: Readonly<Record<string, string | number>> = {},
): Readonly<Record<Language, string>> {
  return { 'en-US': wordOf(word, 'en-US', params), 'zh-CN': wordOf(word, 'zh-CN', params) };
}
