import { history } from '@umijs/max';
import { Button } from 'antd';
import { EmptyState } from '@/components/EmptyState';
import { useDocumentTitle } from '@/hooks/useDocumentTitle';
import { useText } from '@/hooks/useText';
import styles from './index.less';

export default function NotFoundPage() {
  const text = useText();
  useDocumentTitle(text('menu.notFound'));
  return (
    <main id="content" tabIndex={-1} className={styles.page}>
      <h1 className={styles.number}>404</h1>
      <EmptyState
        drawing="map"
        words={text('error.notFound')}
        action={
          <Button type="primary" size="large" onClick={() => history.push('/')}>
            {text('error.backHome')}
          </Button>
        }
      />
    </main>
  );
}
