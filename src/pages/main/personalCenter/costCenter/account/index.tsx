import { useModel } from '@umijs/max';
import { Skeleton } from 'antd';
import { lazy, Suspense } from 'react';
import { ErrorState } from '@/components/ErrorState';
import { PageHeading } from '@/components/PageHeading';
import { withWords } from '@/components/withWords';
import { useText } from '@/hooks/useText';
import accountEn from '@/locales/en-US/account';
import chartEn from '@/locales/en-US/chart';
import accountZh from '@/locales/zh-CN/account';
import chartZh from '@/locales/zh-CN/chart';
import { BalanceAlert } from './components/BalanceAlert';
import { BalanceCard } from './components/BalanceCard';
import { DcuChanges } from './components/DcuChanges';
import { LotList } from './components/LotList';
import { SpendChart } from './components/SpendChart';
import styles from './index.less';

const TopUp = lazy(() => import('./components/TopUp'));

/** My account: what there is, what it is made of, how long it lasts, how to have more, and every change it ever had. */
function AccountPage() {
  const text = useText();
  return (
    <>
      <PageHeading title={text('menu.costCenter.account')} />
      <Balance />
      <Suspense fallback={<Skeleton active className={styles.card} />}>
        <TopUp />
      </Suspense>
      <Spending />
      <DcuChanges />
    </>
  );
}

/** What was spent of late, and below which balance to be told. */
function Spending() {
  const { overview } = useModel('balance');
  return (
    <div className={styles.columns}>
      <div className={styles.card}>
        <SpendChart />
      </div>
      {overview ? (
        <div className={styles.card}>
          <BalanceAlert alert={overview.alert} />
        </div>
      ) : null}
    </div>
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

export default withWords(AccountPage, { 'en-US': { ...accountEn, ...chartEn }, 'zh-CN': { ...accountZh, ...chartZh } });
