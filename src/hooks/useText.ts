import { useIntl } from '@umijs/max';
import { useCallback } from 'react';
import { asNamed } from '@/utils/language';
import type { Text } from '@/utils/words';

/** The words of the page in the chosen language. */
export function useText(): Text {
  const intl = useIntl();
  return useCallback((word, values) => intl.formatMessage({ id: word }, values && named(values)), [intl]);
}

function named(values: Record<string, string | number>): Record<string, string | number> {
  const parts = Object.entries(values).map(([hole, value]) => [hole, typeof value === 'string' ? asNamed(value) : value]);
  return Object.fromEntries(parts);
}
