import { getIntl, Link, Navigate, type RunTimeLayoutConfig, useLocation } from '@umijs/max';
import { lazy, Suspense } from 'react';
import { BrandMark } from '@/components/Brand';
import { useIsPhone } from '@/hooks/useIsPhone';
import { loginPath } from '@/utils/redirect';
import { hasSession } from '@/utils/session';
import { CrashBoundary, PartBoundary } from './CrashBoundary';
import styles from './consoleLayout.less';

// The frame's parts float menus and pop-ups: they stay out of the first chunk, which /login loads, too.
const HeaderActions = lazy(() => import('./HeaderActions'));
const PhoneBar = lazy(() => import('./PhoneBar'));
const NoAccess = lazy(() => import('./NoAccess'));

/** A visitor goes to sign in and comes back; a member who may not see the page reads why. */
function Refused({ isSignedIn }: { isSignedIn: boolean }) {
  const location = useLocation();
  return isSignedIn ? <NoAccess /> : <Navigate to={loginPath(location)} replace />;
}

/** Nobody but a phone loads the bar and its drawer. */
function OnPhones() {
  return useIsPhone() ? <PhoneBar /> : null;
}

const tokens = {
  bgLayout: 'var(--ground)',
  header: { colorBgHeader: 'var(--card)', heightLayoutHeader: 60 },
  sider: {
    colorMenuBackground: 'transparent',
    colorTextMenu: 'var(--muted)',
    colorTextMenuTitle: 'var(--ink)',
    colorTextMenuItemHover: 'var(--ink)',
    colorTextMenuSelected: 'var(--brand)',
    colorBgMenuItemSelected: 'var(--brand-soft)',
    colorBgMenuItemHover: 'color-mix(in srgb, var(--muted) 8%, transparent)',
  },
};

/** The frame of every page but /login and /404. */
export const consoleLayout: RunTimeLayoutConfig = ({ initialState }) => {
  const isSignedIn = Boolean(initialState?.currentUser.userId);
  const title = getIntl().formatMessage({ id: 'app.title' });
  return {
    title,
    logo: <BrandMark size={28} />,
    // The page has the one h1; the product's name is a way home.
    headerTitleRender: (mark) => (
      <Link to="/" className={styles.home} onClick={(event) => event.stopPropagation()}>
        {mark}
        <span>{title}</span>
      </Link>
    ),
    menuContentRender: (_props, menu) => <nav aria-label={getIntl().formatMessage({ id: 'frame.navigation' })}>{menu}</nav>,
    layout: 'mix',
    navTheme: 'light',
    siderWidth: 232,
    token: tokens,
    className: styles.frame,
    menu: { locale: true, type: 'group', collapsedShowTitle: false },
    // A visitor has one way on, which is signing in: no sidebar of closed doors.
    ...(isSignedIn ? {} : { menuRender: false as const }),
    pageTitleRender: (_props, _defaultTitle, page) => (page?.pageName ? `${page.pageName} · ${title}` : title),
    rightContentRender: () => (
      <PartBoundary>
        <Suspense fallback={null}>
          <HeaderActions />
        </Suspense>
      </PartBoundary>
    ),
    unAccessible: <Refused isSignedIn={isSignedIn && hasSession()} />,
    childrenRender: (page) => (
      <Suspense fallback={null}>
        <div id="content" className={styles.content} tabIndex={-1}>
          <CrashBoundary>{page}</CrashBoundary>
        </div>
        {isSignedIn ? (
          <PartBoundary>
            {/* Of its own: the page must not vanish while the bar is on its way. */}
            <Suspense fallback={null}>
              <OnPhones />
            </Suspense>
          </PartBoundary>
        ) : null}
      </Suspense>
    ),
  };
};
