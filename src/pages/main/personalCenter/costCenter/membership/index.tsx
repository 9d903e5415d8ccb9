import { useModel } from '@umijs/max';
import { Skeleton } from 'antd';
import { useRef } from 'react';
import { ErrorState } from '@/components/ErrorState';
import { PageHeading } from '@/components/PageHeading';
import { RedeemButton } from '@/components/RedeemDialog/RedeemButton';
import { StaleNote } from '@/components/StaleNote';
import { withWords } from '@/components/withWords';
import { useCached } from '@/hooks/useCached';
import { useText } from '@/hooks/useText';
import membershipEn from '@/locales/en-US/membership';
import redeemEn from '@/locales/en-US/redeem';
import membershipZh from '@/locales/zh-CN/membership';
import redeemZh from '@/locales/zh-CN/redeem';
import { getPackages } from '@/services/membership';
import { CurrentLevel } from './components/CurrentLevel';
import { CustomBuilder } from './components/CustomBuilder';
import { PackageGrid } from './components/PackageGrid';
import { PurchasedItems } from './components/PurchasedItems';
import styles from './index.less';

/** My membership: the level now and what is used of it, what there is to buy, and what was bought. */
function MembershipPage() {
  const text = useText();
  const { userId } = useModel('session').currentUser;
  const { data, error, loading, refresh } = useCached(`packages:${userId}`, getPackages);
  // What a code gave shows in the level and among the items.
  const items = useRef<{ refresh: () => void }>(null);
  const handleRedeemed = () => {
    refresh();
    items.current?.refresh();
  };
  return (
    <div className={styles.page}>
      <PageHeading title={text('menu.costCenter.membership')} actions={<RedeemButton onRedeemed={handleRedeemed} />} />
      {data ? (
        <>
          {error ? <StaleNote error={error} onRetry={refresh} isRetrying={loading} /> : null}
          {data.current ? <CurrentLevel current={data.current} /> : null}
          <PackageGrid offers={data} />
          <CustomBuilder offers={data} />
        </>
      ) : (
        <section className={styles.card}>
          {error ? (
            <ErrorState error={error} onRetry={refresh} isRetrying={loading} />
          ) : (
            <div role="status" aria-label={text('list.loading')}>
              <Skeleton active paragraph={{ rows: 10 }} />
            </div>
          )}
        </section>
      )}
      <PurchasedItems ref={items} />
    </div>
  );
}

export default withWords(MembershipPage, {
  'en-US': { ...membershipEn, ...redeemEn },
  'zh-CN': { ...membershipZh, ...redeemZh },
});
