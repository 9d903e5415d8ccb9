import { setLocale } from '@umijs/max';
import { Radio } from 'antd';
import { useAppearance } from '@/hooks/useAppearance';
import { useText } from '@/hooks/useText';
import { type Appearance, chooseAppearance } from '@/utils/appearance';
import { currentLanguage, type Language, languages } from '@/utils/language';
import styles from './Preferences.less';

const appearances: readonly Appearance[] = ['system', 'light', 'dark'];

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
              <span lang={language}>{text(`settings.language.${language}`)}</span>
            </Radio>
          ))}
        </Radio.Group>
      </fieldset>
      <fieldset>
        <legend>{text('settings.appearance')}</legend>
        <Radio.Group value={choice} onChange={({ target }) => chooseAppearance(target.value as Appearance)}>
          {appearances.map((appearance) => (
            <Radio key={appearance} value={appearance}>
              {text(`settings.appearance.${appearance}`)}
            </Radio>
          ))}
        </Radio.Group>
      </fieldset>
    </div>
  );
}
