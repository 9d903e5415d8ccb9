import { Link } from '@umijs/max';
import { Tabs } from 'antd';
import { useText } from '@/hooks/useText';
import { Agreement } from './Agreement';
import { PasswordForm } from './PasswordForm';
import { PhoneForm } from './PhoneForm';
import styles from './view.less';

interface SignInViewProps {
  registerPath: string;
  resetPath: string;
}

/** Signing in by password or by a code sent to the phone. */
export function SignInView({ registerPath, resetPath }: SignInViewProps) {
  const text = useText();
  return (
    <>
      <h1 className={styles.title}>{text('login.title')}</h1>
      <p className={styles.subtitle}>{text('login.welcome')}</p>
      <Tabs
        items={[
          { key: 'account', label: text('login.tab.account'), children: <PasswordForm resetPath={resetPath} /> },
          { key: 'phone', label: text('login.tab.phone'), children: <PhoneForm /> },
        ]}
      />
      <p className={styles.other}>
        {text('login.toRegister')} <Link to={registerPath}>{text('login.toRegister.link')}</Link>
      </p>
      <Agreement />
    </>
  );
}
