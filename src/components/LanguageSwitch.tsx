import { setLocale } from '@umijs/max';
import { Button } from 'antd';
import { useText } from '@/hooks/useText';
import { currentLanguage, type Language } from '@/utils/language';

const other: Readonly<Record<Language, Language>> = { 'en-US': 'zh-CN', 'zh-CN': 'en-US' };

/** Changes to the other language at once, without a reload; its name is written in that language. */
export function LanguageSwitch() {
  const text = useText();
  const next = other[currentLanguage()];
  return (
    <Button type="text" lang={next} title={text('common.otherLanguage.hint')} onClick={() => setLocale(next, false)}>
      {text('common.otherLanguage')}
    </Button>
  );
}
