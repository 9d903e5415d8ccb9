import type { Language } from './messages';

/** What orders are called, in every language. Both languages stand beside each other: an order keeps the words it was sold with. */
const words = {
  package: { 'en-US': '{name}, {months} months', 'zh-CN': '{name}（{months} 个月）' },
  packageMonth: { 'en-US': '{name}, 1 month', 'zh-CN': '{name}（1 个月）' },
  customCores: { 'en-US': 'CPU ceiling of {cores} cores', 'zh-CN': 'CPU 上限 {cores} 核' },
  customDcu: { 'en-US': '{dcu} DCU a month', 'zh-CN': '每月 {dcu} DCU' },
} as const satisfies Record<string, Readonly<Record<Language, string>>>;

type Params = Readonly<Record<string, string | number | Readonly<Record<Language, string>>>>;

/** The same words in every language; a param may itself be words. */
export function orderWords(word: keyof typeof words, params: Params): Readonly<Record<Language, string>> {
  return { 'en-US': fill(word, 'en-US', params), 'zh-CN': fill(word, 'zh-CN', params) };
}

function fill(word: keyof typeof words, language: Language, params: Params): string {
  return words[word][language].replace(/\{(\w+)\}/g, (hole, name: string) => {
    const param = params[name] ?? hole;
    return typeof param === 'object' ? param[language] : String(param);
  });
}
