import { CrownOutlined, LogoutOutlined, SettingOutlined, StarOutlined, WalletOutlined } from '@ant-design/icons';
import { history, useModel } from '@umijs/max';
import { Avatar, Dropdown } from 'antd';
import { useText } from '@/hooks/useText';
import { levelWord } from '@/utils/levelWord';
import styles from './MemberMenu.less';
import { useSignOut } from './useSignOut';

/** Who is signed in, the member's own pages, and the way out. */
export function MemberMenu() {
  const text = useText();
  const { currentUser } = useModel('session');
  const signOut = useSignOut();
  const who = (
    <div className={styles.who}>
      <bdi>{currentUser.userName}</bdi>
      <bdi>{currentUser.mobilePhone}</bdi>
      <span>{currentUser.packageName || text(levelWord(currentUser.levelFlag))}</span>
    </div>
  );
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
      menu={{
        items: [
          { key: 'who', type: 'group', label: who },
          { type: 'divider' },
          {
            key: 'account',
            icon: <WalletOutlined aria-hidden />,
            label: text('frame.account'),
            onClick: () => history.push('/main/personalCenter/costCenter/account'),
          },
          {
            key: 'settings',
            icon: <SettingOutlined aria-hidden />,
            label: text('menu.accountSettings'),
            onClick: () => history.push('/main/personalCenter/accountSettings'),
          },
          {
            key: 'points',
            icon: <StarOutlined aria-hidden />,
            label: text('menu.pointsCenter'),
            onClick: () => history.push('/main/personalCenter/pointsCenter'),
          },
          {
            key: 'membership',
            icon: <CrownOutlined aria-hidden />,
            label: text('menu.costCenter.membership'),
            onClick: () => history.push('/main/personalCenter/costCenter/membership'),
          },
          { key: 'signOut', icon: <LogoutOutlined aria-hidden />, label: text('frame.signOut'), onClick: signOut },
        ],
      }}
    >
      <button type="button" className={styles.avatar} aria-label={text('frame.memberMenu', { name: currentUser.userName })}>
        <Avatar size={32}>{[...currentUser.userName][0]?.toUpperCase()}</Avatar>
      </button>
    </Dropdown>
  );
}
