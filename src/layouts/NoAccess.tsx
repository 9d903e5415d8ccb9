import { Link, matchRoutes, useAppData, useLocation, useModel } from '@umijs/max';
import { permissionOf } from '@/access';
import { EmptyState } from '@/components/EmptyState';
import { useText } from '@/hooks/useText';
import { levelWord } from '@/utils/levelWord';
import type { Word } from '@/utils/words';
import { missingFor, type Requirement } from '../../gateway/contract/entitlements';
import styles from './NoAccess.less';

interface Way {
  key: keyof Requirement;
  words: Word;
  go: Word;
  path: string;
}

const settings = '/main/personalCenter/accountSettings';
const ways: readonly Way[] = [
  { key: 'isRealName', words: 'access.realName', go: 'access.toRealName', path: `${settings}?tab=realName` },
  { key: 'isStudent', words: 'access.student', go: 'access.toStudent', path: `${settings}?tab=student` },
  { key: 'levelFlag', words: 'access.level', go: 'access.toLevel', path: '/main/personalCenter/costCenter/membership' },
];

/** The access key of the route the browser stands at. */
function useAccessKey(): string | undefined {
  const { pathname } = useLocation();
  const { clientRoutes } = useAppData();
  const matched = matchRoutes(clientRoutes, pathname) ?? [];
  return matched.map(({ route }) => (route as { access?: string }).access).findLast((key) => key !== undefined);
}

/** A page the member's level or verification does not open: what would open it, and the way there. */
export default function NoAccess() {
  const text = useText();
  const { currentUser } = useModel('session');
  const permission = permissionOf(useAccessKey());
  const missing: Requirement = (permission && missingFor(permission, currentUser)) ?? {};
  const level = text(levelWord(missing.levelFlag ?? 0));
  const open = ways.filter(({ key }) => missing[key] !== undefined);
  return (
    <div id="content" tabIndex={-1} className={styles.page} role="alert">
      <EmptyState
        drawing="key"
        title={text('error.noAccess')}
        words={text(open.length > 0 ? 'access.opens' : 'access.unknown')}
        action={
          <>
            {open.map(({ key, words, go, path }) => (
              <p key={key} className={styles.way}>
                {text(words, { level, number: missing.levelFlag ?? 0 })} <Link to={path}>{text(go)}</Link>
              </p>
            ))}
            <Link to="/">{text('error.backHome')}</Link>
          </>
        }
      />
    </div>
  );
}
