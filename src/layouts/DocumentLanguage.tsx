import { useIntl } from '@umijs/max';
import { type ReactNode, useEffect } from 'react';
import { currentDirection, currentLanguage } from '@/utils/language';
import { SkipLink } from './SkipLink';

/**
 * Tells the browser which language and direction the page is in: for its voice, its fonts and its line breaks. The way past
 * the frame stands before everything else.
 */
export function DocumentLanguage({ children }: { children: ReactNode }) {
  // Asked for only to be drawn again when the language changes.
  useIntl();
  const language = currentLanguage();
  const direction = currentDirection();
  useEffect(() => {
    document.documentElement.lang = language;
    document.documentElement.dir = direction;
  }, [language, direction]);
  return (
    <>
      <SkipLink />
      {children}
    </>
  );
}
