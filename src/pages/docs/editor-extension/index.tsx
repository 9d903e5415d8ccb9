import { useIntl } from '@umijs/max';
import { ReadingText } from '@/components/ReadingText';
import english from '@/locales/en-US/docs/editor';
import chinese from '@/locales/zh-CN/docs/editor';
import { currentLanguage } from '@/utils/language';

/** The words stand beside the other locales but load with this page alone. */
export default function EditorExtensionPage() {
  // Asked for only to be drawn again when the language changes.
  useIntl();
  return <ReadingText words={currentLanguage() === 'en-US' ? english : chinese} />;
}
