import { useIntl } from '@umijs/max';
import { useCallback } from 'react';
import type messages from '@/locales/en-US';

export type Word = keyof typeof messages;
export type Text = (word: Word, values?: Record<string, string | number>) => string;

/** The words of the page in the chosen language; a misspelt one does not compile. */
export function useText(): Text {
  const intl = useIntl();
  return useCallback((word, values) => intl.formatMessage({ id: word }, values), [intl]);
}
