import type messages from '@/locales/en-US';
import type pageMessages from '@/locales/en-US/pages';

/** The key of a message of every page, or of one that travels with its page (`withWords`); a misspelt one does not compile. */
export type Word = keyof typeof messages | keyof typeof pageMessages;
/** Answers the message in the chosen language, its holes filled in. */
export type Text = (word: Word, values?: Record<string, string | number>) => string;
