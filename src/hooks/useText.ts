import { useIntl } from '@umijs/max';
import { useCallback } from 'react';
import type messages from '@/locales/en-US';
import { asNamed } from '@/utils/language';

export type Word = keyof typeof messages;
export type Text = (word: Word, values?: Record<string, string | number>) => string;

/** The words of the page in the chosen language; a misspelt one does not compile. */
export function useText(): Text {
  const intl = useIntl();
  return useCallback((word, values) => intl.formatMessage({ id: word }, values && named(values)), [intl]);
}

function named(values: Record<string, string | number>): Record<string, string | number> {
  const parts = Object.entries(values).map(([hole, value]) => [hole, typeof value === 'string' ? asNamed(value) : value]);
  return Object.fromEntries(parts);
}
