import {
  BookOutlined,
  CodeOutlined,
  CrownOutlined,
  DesktopOutlined,
  FileTextOutlined,
  LogoutOutlined,
  MenuOutlined,
  ShoppingOutlined,
  StarOutlined,
  TagOutlined,
  WalletOutlined,
} from '@ant-design/icons';
import { Link, useLocation } from '@umijs/max';
import { Drawer } from 'antd';
import { useState } from 'react';
import { AppearanceSwitch } from '@/components/AppearanceSwitch';
import { LanguageSwitch } from '@/components/LanguageSwitch';
import { useText } from '@/hooks/useText';
import { links } from '@/utils/links';
import styles from './PhoneBar.less';
import { useSignOut } from './useSignOut';

const places = [
  { path: '/main/myLab/workshop', word: 'frame.workshops', icon: <DesktopOutlined aria-hidden /> },
  { path: '/main/personalCenter/costCenter/account', word: 'frame.account.short', icon: <WalletOutlined aria-hidden /> },
] as const;

const costCenter = '/main/personalCenter/costCenter';

/** What else the sidebar has where there is one. */
const morePlaces = [
  { path: `${costCenter}/membership`, word: 'menu.costCenter.membership', icon: <CrownOutlined aria-hidden /> },
  { path: `${costCenter}/coupon`, word: 'menu.costCenter.coupon', icon: <TagOutlined aria-hidden /> },
  { path: `${costCenter}/order`, word: 'menu.costCenter.order', icon: <ShoppingOutlined aria-hidden /> },
  { path: `${costCenter}/bill`, word: 'menu.costCenter.bill', icon: <FileTextOutlined aria-hidden /> },
  { path: '/main/personalCenter/pointsCenter', word: 'menu.pointsCenter', icon: <StarOutlined aria-hidden /> },
] as const;

/** The way around on a phone: four places within the thumb's reach, the rest in a drawer. */
export default function PhoneBar() {
  const text = useText();
  const { pathname } = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <nav className={styles.bar} aria-label={text('frame.navigation')}>
        {places.map(({ path, word, icon }) => (
          <Link key={path} to={path} aria-current={pathname.startsWith(path) ? 'page' : undefined}>
            {icon}
            <span>{text(word)}</span>
          </Link>
        ))}
        <a href={links.docs} target="_blank" rel="noreferrer">
          <BookOutlined aria-hidden />
          <span>{text('frame.docs.short')}</span>
        </a>
        <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(true)}>
          <MenuOutlined aria-hidden />
          <span>{text('frame.more')}</span>
        </button>
      </nav>
      <Drawer open={isOpen} placement="bottom" height="auto" title={text('frame.more')} onClose={() => setIsOpen(false)}>
        <MoreMenu onLeave={() => setIsOpen(false)} />
      </Drawer>
    </>
  );
}

function MoreMenu({ onLeave }: { onLeave: () => void }) {
  const text = useText();
  const { pathname } = useLocation();
  const signOut = useSignOut();
  return (
    <div className={styles.more}>
      {morePlaces.map(({ path, word, icon }) => (
        <Link key={path} to={path} aria-current={pathname === path ? 'page' : undefined} onClick={onLeave}>
          {icon} {text(word)}
        </Link>
      ))}
      <a href={links.editorExtension} target="_blank" rel="noreferrer">
        <CodeOutlined aria-hidden /> {text('frame.editor')}
      </a>
      <button type="button" onClick={signOut}>
        <LogoutOutlined aria-hidden /> {text('frame.signOut')}
      </button>
      <div className={styles.switches}>
        <LanguageSwitch />
        <AppearanceSwitch />
      </div>
    </div>
  );
}
