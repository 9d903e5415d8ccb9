/** The languages we speak. */
export const languages = ['en-US', 'zh-CN'] as const;
export type Language = (typeof languages)[number];

/** Where the framework keeps the chosen language. */
const STORED_AT = 'umi_locale';
const DEFAULT_LANGUAGE: Language = 'zh-CN';

function storedLanguage(): string {
  try {
    return window.localStorage.getItem(STORED_AT) ?? '';
  } catch {
    // Storage may be forbidden by the browser: then nothing was chosen.
    return '';
  }
}

function spokenLanguage(tag: string): Language | undefined {
  if (/^en\b/i.test(tag)) return 'en-US';
  return /^zh\b/i.test(tag) ? 'zh-CN' : undefined;
}

/**
 * The locale the page follows: the stored choice as it is (also one we have no words for, so that its direction stands),
 * else the browser's language if we speak it, else zh-CN.
 */
export function chosenLocale(): string {
  return storedLanguage() || spokenLanguage(window.navigator.language ?? '') || DEFAULT_LANGUAGE;
}

/** The language the words are in: for dates, numbers and `Accept-Language`. */
export function currentLanguage(): Language {
  return spokenLanguage(chosenLocale()) ?? DEFAULT_LANGUAGE;
}

/** Languages written from right to left. */
const rightToLeft = /^(?:he|ar|fa|ku)\b/i;

export function currentDirection(): 'ltr' | 'rtl' {
  return rightToLeft.test(chosenLocale()) ? 'rtl' : 'ltr';
}
