import enUS from './fieldProblems.en-US';
import zhCN from './fieldProblems.zh-CN';
import type { Language } from './messages';

type Word =
  | 'invalid'
  | 'required'
  | 'unknown'
  | 'absent'
  | 'type'
  | 'choice'
  | 'form'
  | 'minLength'
  | 'maxLength'
  | 'length'
  | 'minimum'
  | 'maximum'
  | 'unprintable'
  | 'depth'
  | 'repeated'
  | 'json'
  | 'http'
  | 'address'
  | 'idempotencyKey'
  | 'mobile'
  | 'ownMobile'
  | 'afterFrom'
  | 'nothingToChange'
  | 'reserved';

/** What can be wrong with a field, as the end of a sentence that begins with its name. */
export type FieldProblems = Readonly<Record<Word, string>>;

/** One field that does not fit, in no language yet. */
export interface FieldProblem {
  field: string;
  word: Word;
  params?: Readonly<Record<string, string | number>>;
}

const words: Readonly<Record<Language, FieldProblems>> = { 'en-US': enUS, 'zh-CN': zhCN };

export function problemOf({ word, params = {} }: FieldProblem, language: Language): string {
  return words[language][word].replace(/\{(\w+)\}/g, (hole, name: string) => String(params[name] ?? hole));
}
