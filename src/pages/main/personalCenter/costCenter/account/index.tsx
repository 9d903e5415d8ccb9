import { useModel } from '@umijs/max';
import { Skeleton } from 'antd';
import { ErrorState } from '@/components/ErrorState';
import { PageHeading } from '@/components/PageHeading';
import { useText } from '@/hooks/useText';
import { BalanceCard } from './components/BalanceCard';
import { DcuChanges } from './components/DcuChanges';
import { LotList } from './components/LotList';
import styles from './index.less';

/** My account: what there is, what it is made of, how long it lasts, and every change it ever had. */
export default function AccountPage() {
  const text = useText();
  return (
    <>
      <PageHeading title={text('menu.costCenter.account')} />
      <Balance />
      <DcuChanges />
    </>
  );
}

function Balance() {
  const text = useText();
  const { overview, error, isLoading, refresh } = useModel('balance');
  if (!overview && error) {
    return (
      <section className={`${styles.card} ${styles.failed}`}>
        <ErrorState error={error} onRetry={refresh} isRetrying={isLoading} />
      </section>
    );
  }
  return (
    <div className={styles.columns}>
      <section className={styles.card} aria-label={text('balance.remain')}>
        {overview ? <BalanceCard overview={overview} isStale={error !== undefined} /> : <Skeleton active paragraph={{ rows: 4 }} />}
      </section>
      <section className={styles.card} aria-labelledby="lots">
        <h2 id="lots">{text('lot.title')}</h2>
        {overview ? <LotList lots={overview.lots} /> : <Skeleton active title={false} paragraph={{ rows: 4 }} />}
      </section>
    </div>
  );
}
