import { useModel } from '@umijs/max';
import { Skeleton } from 'antd';
import { ErrorState } from '@/components/ErrorState';
import { PageHeading } from '@/components/PageHeading';
import { StaleNote } from '@/components/StaleNote';
import { withWords } from '@/components/withWords';
import { useCached } from '@/hooks/useCached';
import { useText } from '@/hooks/useText';
import pointsEn from '@/locales/en-US/points';
import redeemEn from '@/locales/en-US/redeem';
import pointsZh from '@/locales/zh-CN/points';
import redeemZh from '@/locales/zh-CN/redeem';
import { getPointsOverview } from '@/services/points';
import { CheckInCalendar } from './components/CheckInCalendar';
import { PointsBalance } from './components/PointsBalance';
import { PointsChanges } from './components/PointsChanges';
import { RewardShelf } from './components/RewardShelf';
import { TaskList } from './components/TaskList';
import { usePointsChanges } from './components/usePointsChanges';
import styles from './index.less';

/** The points center: what there is and is worth, how more is earned, what it is exchanged for, and every change. */
function PointsPage() {
  const text = useText();
  const { userId } = useModel('session').currentUser;
  const { data, error, loading, refresh } = useCached(`points:${userId}`, getPointsOverview);
  const changes = usePointsChanges();
  const handleMoved = () => {
    refresh();
    changes.refresh();
  };
  return (
    <div className={styles.page}>
      <PageHeading title={text('menu.pointsCenter')} />
      {data ? (
        <>
          {error ? <StaleNote error={error} onRetry={refresh} isRetrying={loading} /> : null}
          <div className={styles.columns}>
            <PointsBalance overview={data} />
            <CheckInCalendar
              checkIn={data.checkIn}
              isBudgetUsedUp={data.earnedThisMonth >= data.monthlyBudget}
              onMoved={handleMoved}
            />
          </div>
          <RewardShelf overview={data} onMoved={handleMoved} />
        </>
      ) : (
        <section className={styles.card}>
          {error ? (
            <ErrorState error={error} onRetry={refresh} isRetrying={loading} />
          ) : (
            <div role="status" aria-label={text('list.loading')}>
              <Skeleton active paragraph={{ rows: 8 }} />
            </div>
          )}
        </section>
      )}
      <TaskList />
      <PointsChanges page={changes} />
    </div>
  );
}

export default withWords(PointsPage, { 'en-US': { ...pointsEn, ...redeemEn }, 'zh-CN': { ...pointsZh, ...redeemZh } });
