import type messages from '@/locales/en-US';

/** The key of a message; a misspelt one does not compile. */
export type Word = keyof typeof messages;
/** Answers the message in the chosen language, its holes filled in. */
export type Text = (word: Word, values?: Record<string, string | number>) => string;
