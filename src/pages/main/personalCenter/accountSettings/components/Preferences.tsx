import { setLocale } from '@umijs/max';
import { Radio } from 'antd';
import { useAppearance } from '@/hooks/useAppearance';
import { useText } from '@/hooks/useText';
import { type Appearance, chooseAppearance } from '@/utils/appearance';
import { currentLanguage, type Language, languages } from '@/utils/language';
import type { Word } from '@/utils/words';
import styles from './Preferences.less';

const appearances: readonly { choice: Appearance; word: Word }[] = [
  { choice: 'system', word: 'settings.appearance.system' },
  { choice: 'light', word: 'settings.appearance.light' },
  { choice: 'dark', word: 'settings.appearance.dark' },
];

/** A language by its own name: whoever is lost in another one finds it. */
function nameOf(language: Language): string {
  const [code = language] = language.split('-');
  return new Intl.DisplayNames([language], { type: 'language' }).of(code) ?? code;
}

/** Language and appearance. Both hold at once and are kept in this browser. */
export function Preferences() {
  const text = useText();
  const { choice } = useAppearance();
  return (
    <div className={styles.choices}>
      <fieldset>
        <legend>{text('settings.language')}</legend>
        <Radio.Group value={currentLanguage()} onChange={({ target }) => setLocale(target.value as Language, false)}>
          {languages.map((language) => (
            <Radio key={language} value={language}>
              <span lang={language}>{nameOf(language)}</span>
            </Radio>
          ))}
        </Radio.Group>
      </fieldset>
      <fieldset>
        <legend>{text('settings.appearance')}</legend>
        <Radio.Group value={choice} onChange={({ target }) => chooseAppearance(target.value as Appearance)}>
          {appearances.map(({ choice: appearance, word }) => (
            <Radio key={appearance} value={appearance}>
              {text(word)}
            </Radio>
          ))}
        </Radio.Group>
      </fieldset>
    </div>
  );
}
