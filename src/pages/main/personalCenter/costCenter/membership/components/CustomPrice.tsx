import { Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { ErrorState } from '@/components/ErrorState';
import { Money } from '@/components/Money';
import { Spoken } from '@/components/Spoken';
import { useText } from '@/hooks/useText';
import type { CustomPackagePrice } from '@/services/membership';
import { formatPrice } from '@/utils/formatMoney';
import styles from './CustomBuilder.less';
import { FeatureList } from './FeatureList';

interface CustomPriceProps {
  price: { data?: CustomPackagePrice | undefined; error?: Error | undefined; loading: boolean; refresh: () => void };
  months: number;
  /** The way to buy it, once there is a price. */
  children: ReactNode;
}

/** What the package would cost and allow. The former figure stays, dimmed, while the next is on its way. */
export function CustomPrice({ price: { data, error, loading, refresh }, months, children }: CustomPriceProps) {
  const text = useText();
  if (error) {
    return (
      <div className={styles.price}>
        <ErrorState error={error} onRetry={refresh} isRetrying={loading} />
      </div>
    );
  }
  if (!data) {
    return (
      <div className={styles.price} role="status" aria-label={text('membership.custom.busy')}>
        <Skeleton active paragraph={{ rows: 5 }} />
      </div>
    );
  }
  const { listFen, priceFen, monthFen } = data;
  return (
    <div className={styles.price} aria-busy={loading}>
      <h3>{text('membership.custom.price')}</h3>
      <div role="status" className={styles.figure} data-stale={loading}>
        {priceFen < listFen ? (
          <p className={styles.former}>
            <Spoken>{text('membership.student.list')}</Spoken> <Money fen={listFen} isPrice isFormer /> {text('membership.student')}
          </p>
        ) : null}
        <p className={styles.total}>
          <Money fen={priceFen} isPrice />
        </p>
        {months > 1 ? <p>{text('membership.custom.each', { amount: formatPrice(monthFen) })}</p> : null}
      </div>
      {children}
      <h3>{text('membership.custom.brings')}</h3>
      <FeatureList ceilings={data.ceilings} monthlyDcu={data.monthlyDcu} />
    </div>
  );
}
