import type { RunTimeLayoutConfig } from '@umijs/max';
import { lazy, type ReactNode, Suspense } from 'react';
import type { MemberState } from './access';
import { AppearanceProvider } from './layouts/AppearanceProvider';
import { consoleLayout } from './layouts/consoleLayout';
import { DocumentLanguage } from './layouts/DocumentLanguage';
import enUS from './locales/en-US';
import zhCN from './locales/zh-CN';
import { getUserBySession } from './services/user';
import { emptyUser } from './utils/emptyUser';
import { chosenLocale, currentDirection, currentLanguage, inOwnDirection, type Language } from './utils/language';
import { trackPage } from './utils/trackPage';

/** The member of this login session, asked for once at start-up. Without one every field is empty, false or 0. */
export async function getInitialState(): Promise<MemberState> {
  const currentUser = await getUserBySession({ isInit: true }).catch(() => emptyUser);
  return { currentUser: { ...emptyUser, ...currentUser } };
}

export function rootContainer(container: ReactNode) {
  return <AppearanceProvider>{container}</AppearanceProvider>;
}

/** A constant of the compiler: a build carries nothing of the panel. */
const MockPanel = process.env.MOCK_PANEL ? lazy(() => import('./mockPanel')) : null;

export function innerProvider(container: ReactNode) {
  return (
    <DocumentLanguage>
      {container}
      {MockPanel ? (
        <Suspense fallback={null}>
          <MockPanel />
        </Suspense>
      ) : null}
    </DocumentLanguage>
  );
}

const words: Readonly<Record<Language, Readonly<Record<string, string>>>> = { 'en-US': enUS, 'zh-CN': zhCN };

/**
 * Overrides the framework's choice, which would follow a browser language that we do not have. A locale chosen for its
 * direction gets the words of the nearest language we speak.
 */
export function locale(defaults: object) {
  if (currentDirection() === 'ltr') return { ...defaults, getLocale: chosenLocale };
  const language = currentLanguage();
  const messages = Object.fromEntries(Object.entries(words[language]).map(([key, message]) => [key, inOwnDirection(message)]));
  return { ...defaults, locale: language, messages, getLocale: chosenLocale };
}

/** Umi's: the address changed, also at the start. */
export const onRouteChange = trackPage;

export const layout: RunTimeLayoutConfig = consoleLayout;
