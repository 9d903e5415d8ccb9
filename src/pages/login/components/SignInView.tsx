import { Link } from '@umijs/max';
import { Tabs } from 'antd';
import { useState } from 'react';
import { useText } from '@/hooks/useText';
import { Agreement } from './Agreement';
import { PasswordForm } from './PasswordForm';
import { PhoneForm } from './PhoneForm';
import styles from './view.less';

type Way = 'account' | 'phone';

/** Signing in by password or by a code sent to the phone. */
export function SignInView({ registerPath, hasForgotten: hasComeToReset }: { registerPath: string; hasForgotten: boolean }) {
  const text = useText();
  const [way, setWay] = useState<Way>(hasComeToReset ? 'phone' : 'account');
  const [hasForgotten, setHasForgotten] = useState(hasComeToReset);
  const handleForgot = () => {
    setHasForgotten(true);
    setWay('phone');
  };
  return (
    <>
      <h1 className={styles.title}>{text('login.title')}</h1>
      <p className={styles.subtitle}>{text('login.welcome')}</p>
      <Tabs
        activeKey={way}
        onChange={(key) => setWay(key === 'phone' ? 'phone' : 'account')}
        items={[
          { key: 'account', label: text('login.tab.account'), children: <PasswordForm onForgot={handleForgot} /> },
          {
            key: 'phone',
            label: text('login.tab.phone'),
            children: <PhoneForm hint={hasForgotten ? text('login.forgot.hint') : undefined} />,
          },
        ]}
      />
      <p className={styles.other}>
        {text('login.toRegister')} <Link to={registerPath}>{text('login.toRegister.link')}</Link>
      </p>
      <Agreement />
    </>
  );
}
