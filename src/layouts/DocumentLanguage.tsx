import { ConfigProvider } from 'antd';
import antdEnUS from 'antd/es/locale/en_US';
import antdZhCN from 'antd/es/locale/zh_CN';
import { type ReactNode, useEffect, useMemo } from 'react';
import { useText } from '@/hooks/useText';
import { formMessages } from '@/utils/formMessages';
import { currentDirection, currentLanguage } from '@/utils/language';
import { ConnectionNote } from './ConnectionNote';
import { FrameBoundary } from './CrashBoundary';
import { SkipLink } from './SkipLink';

const antdWords = { 'en-US': antdEnUS, 'zh-CN': antdZhCN };

/**
 * Tells the browser which language and direction the page is in: for its voice, its fonts and its line breaks; and the forms
 * and other parts their words. The way past the frame stands before everything else.
 */
export function DocumentLanguage({ children }: { children: ReactNode }) {
  const text = useText();
  const language = currentLanguage();
  const direction = currentDirection();
  useEffect(() => {
    document.documentElement.lang = language;
    document.documentElement.dir = direction;
  }, [language, direction]);
  const form = useMemo(() => ({ validateMessages: formMessages(text) }), [text]);
  return (
    // The framework knows antd's words only of locales that have words of ours.
    <ConfigProvider locale={antdWords[language]} form={form}>
      <SkipLink />
      <ConnectionNote />
      <FrameBoundary>{children}</FrameBoundary>
    </ConfigProvider>
  );
}
