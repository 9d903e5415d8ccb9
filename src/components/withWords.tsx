import { IntlProvider, useIntl } from '@umijs/max';
import { type ComponentType, createElement, useMemo } from 'react';
import { currentLanguage, inOwnDirection, type Language } from '@/utils/language';

/**
 * A page whose words travel with it: in the first chunk they would be fetched by whoever signs in. What frame and pieces say
 * on every page stands in `src/locales/<language>.ts`; what one page says in a file of its own, named in `…/pages.ts`, too.
 * A dialog or a warning that is loaded when it is needed brings its words the same way.
 */
export function withWords<P extends object>(
  Page: ComponentType<P>,
  words: Readonly<Record<Language, Readonly<Record<string, string>>>>,
) {
  return function PageWithWords(props: P) {
    const { locale, messages } = useIntl();
    const all = useMemo(() => {
      const own = Object.entries(words[currentLanguage()]).map(([key, message]) => [key, inOwnDirection(message)]);
      return { ...messages, ...Object.fromEntries(own) };
    }, [messages]);
    // Umi's types of the provider are from before children had to be named.
    return createElement(IntlProvider, { locale, messages: all }, <Page {...props} />);
  };
}
