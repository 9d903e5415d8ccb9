import { useSearchParams } from '@umijs/max';
import { Tabs } from 'antd';
import type { ComponentType } from 'react';
import { PageHeading } from '@/components/PageHeading';
import { useIsPhone } from '@/hooks/useIsPhone';
import { useText } from '@/hooks/useText';
import { currentDirection } from '@/utils/language';
import type { Word } from '@/utils/words';
import { Devices } from './components/Devices';
import { PasswordChange } from './components/PasswordChange';
import { Preferences } from './components/Preferences';
import { Profile } from './components/Profile';
import styles from './index.less';

/** What can be set, in this order; `?tab=` opens one. A further section is a line here and its component. */
const sections: readonly { key: string; title: Word; hint: Word; Content: ComponentType }[] = [
  { key: 'profile', title: 'settings.profile', hint: 'settings.profile.hint', Content: Profile },
  { key: 'password', title: 'settings.password', hint: 'settings.password.hint', Content: PasswordChange },
  { key: 'devices', title: 'settings.devices', hint: 'settings.devices.hint', Content: Devices },
  { key: 'preferences', title: 'settings.preferences', hint: 'settings.preferences.hint', Content: Preferences },
];

/** Where a line begins; antd's sides are the screen's. */
const sideOf = { ltr: 'left', rtl: 'right' } as const;

/** The member's own settings: who they are, how they sign in, where they are signed in, how the console looks. */
export default function AccountSettingsPage() {
  const text = useText();
  const [search, setSearch] = useSearchParams();
  const isPhone = useIsPhone();
  const asked = search.get('tab');
  const active = sections.some(({ key }) => key === asked) ? asked : sections[0]?.key;
  return (
    <>
      <PageHeading title={text('menu.accountSettings')} />
      <Tabs
        className={styles.tabs}
        tabPosition={isPhone ? 'top' : sideOf[currentDirection()]}
        activeKey={active ?? ''}
        onChange={(tab) => setSearch({ tab }, { replace: true })}
        items={sections.map(({ key, title, hint, Content }) => ({
          key,
          label: text(title),
          children: (
            <section className={styles.card} aria-labelledby={`settings-${key}`}>
              <h2 id={`settings-${key}`}>{text(title)}</h2>
              <p className={styles.hint}>{text(hint)}</p>
              <Content />
            </section>
          ),
        }))}
      />
    </>
  );
}
