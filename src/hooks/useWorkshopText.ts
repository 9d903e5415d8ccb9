import { useIntl } from '@umijs/max';
import { useCallback } from 'react';
import type words from '@/locales/en-US/workshop';

export type WorkshopWord = keyof typeof words;
export type WorkshopText = (word: WorkshopWord, values?: Record<string, string | number>) => string;

/** The words of the workshop pages; a misspelt one does not compile. */
export function useWorkshopText(): WorkshopText {
  const intl = useIntl();
  return useCallback((word, values) => intl.formatMessage({ id: word }, values), [intl]);
}
