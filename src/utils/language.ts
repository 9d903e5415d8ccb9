/** The languages we speak. */
export const languages = ['en-US', 'zh-CN'] as const;
export type Language = (typeof languages)[number];

/** Where the framework keeps the chosen language. public/boot.js reads it, too. */
const STORED_AT = 'umi_locale';
const DEFAULT_LANGUAGE: Language = 'zh-CN';

function storedLocale(): string {
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
  return storedLocale() || spokenLanguage(window.navigator.language ?? '') || DEFAULT_LANGUAGE;
}

/** The language the words are in, as near to the chosen locale as we have them: for dates, numbers and `Accept-Language`. */
export function currentLanguage(): Language {
  return spokenLanguage(storedLocale()) ?? spokenLanguage(window.navigator.language ?? '') ?? DEFAULT_LANGUAGE;
}

/** Languages written from right to left. */
const rightToLeft = /^(?:he|ar|fa|ku)\b/i;

export function currentDirection(): 'ltr' | 'rtl' {
  return rightToLeft.test(chosenLocale()) ? 'rtl' : 'ltr';
}

const ISOLATE = '\u2066';
const END_OF_ISOLATE = '\u2069';
/** What a page that runs the other way would put elsewhere: figures and marks. Letters alone stay as they are. */
const outOfPlace = /[^\p{L}\p{M}\s]/u;

/** Our words run from left to right; on a page from right to left this keeps their figures and marks where they belong. */
export function inOwnDirection(words: string): string {
  return currentDirection() === 'rtl' && outOfPlace.test(words) ? `${ISOLATE}${words}${END_OF_ISOLATE}` : words;
}

/** Words as they may be stored: without what only their place on the page asks for. */
export function withoutDirection(words: string): string {
  return words.replaceAll(ISOLATE, '').replaceAll(END_OF_ISOLATE, '');
}

const anyDirection = '\u2068';
const fromRightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/** A word that a member chose, inside a sentence of ours: what it is written in does not move the words around it. */
export function asNamed(name: string): string {
  return fromRightToLeft.test(name) ? `${anyDirection}${name}${END_OF_ISOLATE}` : name;
}
