import { Navigate, useLocation, useModel, useSearchParams } from '@umijs/max';
import { AppearanceSwitch } from '@/components/AppearanceSwitch';
import { Brand } from '@/components/Brand';
import { LanguageSwitch } from '@/components/LanguageSwitch';
import { useDocumentTitle } from '@/hooks/useDocumentTitle';
import { useText } from '@/hooks/useText';
import { safeRedirect } from '@/utils/redirect';
import { hasSession } from '@/utils/session';
import { RegisterView } from './components/RegisterView';
import { SignInView } from './components/SignInView';
import { WorkbenchDrawing } from './components/WorkbenchDrawing';
import styles from './index.less';

/** Sign in or register. Whoever is signed in goes on to where they wanted to be. */
export default function LoginPage() {
  const text = useText();
  const location = useLocation();
  const [search] = useSearchParams();
  const { isSignedIn } = useModel('session');
  const isRegister = search.get('view') === 'register';
  useDocumentTitle(text(isRegister ? 'register.title' : 'login.title'));
  if (isSignedIn && hasSession()) return <Navigate to={safeRedirect(search.get('redirect'))} replace />;

  // The other view keeps where to go afterwards.
  const viewPath = (view: string) => {
    const next = new URLSearchParams(location.search);
    if (view === '') next.delete('view');
    else next.set('view', view);
    return `/login${next.size > 0 ? `?${next}` : ''}`;
  };
  return (
    <div className={styles.page}>
      <aside className={styles.side} aria-label={text('frame.about')}>
        <Brand size={32} />
        <WorkbenchDrawing />
        <div>
          <p className={styles.headline}>{text('login.headline')}</p>
          <p className={styles.promise}>{text('login.promise')}</p>
        </div>
      </aside>
      <main id="content" tabIndex={-1} className={styles.main}>
        <header className={styles.top}>
          <span className={styles.phoneBrand}>
            <Brand />
          </span>
          <LanguageSwitch />
          <AppearanceSwitch />
        </header>
        <div className={styles.form}>
          {isRegister ? (
            <RegisterView loginPath={viewPath('')} />
          ) : (
            <SignInView registerPath={viewPath('register')} hasForgotten={search.get('view') === 'reset'} />
          )}
        </div>
      </main>
    </div>
  );
}
