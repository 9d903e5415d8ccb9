import { Navigate, useLocation, useModel, useSearchParams } from '@umijs/max';
import { AppearanceSwitch } from '@/components/AppearanceSwitch';
import { Brand } from '@/components/Brand';
import { LanguageSwitch } from '@/components/LanguageSwitch';
import { useDocumentTitle } from '@/hooks/useDocumentTitle';
import { useText } from '@/hooks/useText';
import { safeRedirect } from '@/utils/redirect';
import { hasSession } from '@/utils/session';
import type { Word } from '@/utils/words';
import { RegisterView } from './components/RegisterView';
import { ResetView } from './components/ResetView';
import { SignInView } from './components/SignInView';
import { WorkbenchDrawing } from './components/WorkbenchDrawing';
import styles from './index.less';

const titles: Readonly<Record<string, Word>> = { register: 'register.title', reset: 'reset.title' };

/** Sign in, register, or set a new password. Whoever is signed in goes on to where they wanted to be. */
export default function LoginPage() {
  const text = useText();
  const location = useLocation();
  const [search] = useSearchParams();
  const { isSignedIn } = useModel('session');
  const view = search.get('view') ?? '';
  useDocumentTitle(text(titles[view] ?? 'login.title'));
  // Whoever is signed in and knows the password no more still needs a way to another one.
  if (view !== 'reset' && isSignedIn && hasSession()) return <Navigate to={safeRedirect(search.get('redirect'))} replace />;

  // The other views keep where to go afterwards.
  const viewPath = (other: string) => {
    const next = new URLSearchParams(location.search);
    if (other === '') next.delete('view');
    else next.set('view', other);
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
          {view === 'register' ? (
            <RegisterView loginPath={viewPath('')} />
          ) : view === 'reset' ? (
            <ResetView loginPath={viewPath('')} />
          ) : (
            <SignInView registerPath={viewPath('register')} resetPath={viewPath('reset')} />
          )}
        </div>
      </main>
    </div>
  );
}
