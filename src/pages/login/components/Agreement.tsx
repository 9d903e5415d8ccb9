import { FormattedMessage } from '@umijs/max';
import { useText } from '@/hooks/useText';
import styles from './view.less';

/** What one agrees to by going on; both open beside the form, so that nothing typed is lost. */
export function Agreement() {
  const text = useText();
  const link = (path: string, words: string) => (
    <a key={path} href={path} target="_blank" rel="noreferrer">
      {words}
    </a>
  );
  return (
    <p className={styles.agreement}>
      <FormattedMessage
        id="login.agree"
        values={{ terms: link('/terms', text('login.terms')), privacy: link('/privacy', text('login.privacy')) }}
      />
    </p>
  );
}
