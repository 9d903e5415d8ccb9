import type { ErrorName } from '../contract/errors';
import enUS from './en-US';
import zhCN from './zh-CN';

export type Language = 'en-US' | 'zh-CN';
/** A sentence for every error name; `{name}` is filled from the refusal's params. */
export type Messages = Readonly<Record<ErrorName, string>>;

const messages: Readonly<Record<Language, Messages>> = { 'en-US': enUS, 'zh-CN': zhCN };

/** The first language of `Accept-Language` that we speak; zh-CN without one. */
export function languageOf(acceptLanguage: string | undefined): Language {
  for (const part of (acceptLanguage ?? '').split(',')) {
    const tag = part.trim().toLowerCase();
    if (tag.startsWith('en')) return 'en-US';
    if (tag.startsWith('zh')) return 'zh-CN';
  }
  return 'zh-CN';
}

export function messageOf(error: ErrorName, language: Language, params: Readonly<Record<string, string | number>> = {}): string {
  return messages[language][error].replace(/\{(\w+)\}/g, (hole, name: string) => String(params[name] ?? hole));
}
