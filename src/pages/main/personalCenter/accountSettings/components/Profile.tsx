import { useModel } from '@umijs/max';
import { useText } from '@/hooks/useText';
import { formatDate } from '@/utils/formatTime';
import { levelWord } from '@/utils/levelWord';
import styles from './Profile.less';

/** Who is signed in, as the gateway knows them. */
export function Profile() {
  const text = useText();
  const { userName, mobilePhone, packageName, levelFlag, memberExpirationDate } = useModel('session').currentUser;
  const level = text(levelWord(levelFlag));
  const until = memberExpirationDate && text('settings.level.until', { date: formatDate(memberExpirationDate) });
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{text('login.username')}</dt>
        <dd>
          <bdi>{userName}</bdi>
        </dd>
      </div>
      <div>
        <dt>{text('login.mobile')}</dt>
        <dd>
          <bdi>{mobilePhone}</bdi>
        </dd>
      </div>
      <div>
        <dt>{text('settings.level')}</dt>
        <dd>
          <bdi>{packageName || level}</bdi>
          {until ? <span>{until}</span> : null}
        </dd>
      </div>
    </dl>
  );
}
