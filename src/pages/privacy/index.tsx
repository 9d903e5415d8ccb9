import { useIntl } from '@umijs/max';
import { ReadingText } from '@/components/ReadingText';
import english from '@/locales/en-US/legal/privacy';
import chinese from '@/locales/zh-CN/legal/privacy';
import { currentLanguage } from '@/utils/language';

/** The words stand beside the other locales but load with this page alone. */
export default function PrivacyPage() {
  // Asked for only to be drawn again when the language changes.
  useIntl();
  return <ReadingText words={currentLanguage() === 'en-US' ? english : chinese} />;
}
