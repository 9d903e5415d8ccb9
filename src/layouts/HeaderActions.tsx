import { BookOutlined, CodeOutlined } from '@ant-design/icons';
import { history, useModel } from '@umijs/max';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { AppearanceSwitch } from '@/components/AppearanceSwitch';
import { LanguageSwitch } from '@/components/LanguageSwitch';
import { useText } from '@/hooks/useText';
import { links } from '@/utils/links';
import { loginPath } from '@/utils/redirect';
import { BalancePill } from './BalancePill';
import styles from './HeaderActions.less';
import { MemberMenu } from './MemberMenu';
import { RunningBadge } from './RunningBadge';

/** What stands at the end of the header. On phones what is not about the balance moves to the bar at the bottom. */
export default function HeaderActions() {
  const text = useText();
  const { isSignedIn } = useModel('session');
  return (
    <div className={styles.actions}>
      {isSignedIn ? <RunningBadge /> : null}
      {isSignedIn ? <BalancePill /> : null}
      <span className={styles.wide}>
        <OutsideLink href={links.docs} icon={<BookOutlined />} label={text('frame.docs')} />
        <OutsideLink href={links.editorExtension} icon={<CodeOutlined />} label={text('frame.editor')} />
        <LanguageSwitch />
        <AppearanceSwitch />
      </span>
      {isSignedIn ? (
        <MemberMenu />
      ) : (
        <Button type="primary" onClick={() => history.push(loginPath(history.location))}>
          {text('frame.signIn')}
        </Button>
      )}
    </div>
  );
}

function OutsideLink({ label, ...link }: { href: string; icon: ReactNode; label: string }) {
  return <Button type="text" target="_blank" rel="noreferrer" aria-label={label} title={label} {...link} />;
}
