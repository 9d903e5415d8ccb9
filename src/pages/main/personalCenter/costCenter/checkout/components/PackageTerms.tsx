import { Link } from '@umijs/max';
import { Select } from 'antd';
import { useId } from 'react';
import { useText } from '@/hooks/useText';
import type { Purchase, Quote } from '@/services/order';
import { formatNumber } from '@/utils/formatNumber';
import { membershipPath } from '@/utils/orderPaths';
import styles from './choose.less';

const months = Array.from({ length: 12 }, (_, index) => index + 1);

interface PackageTermsProps {
  purchase: Extract<Purchase, { packageId: string }>;
  quote: Quote | undefined;
  onMonths: (months: number) => void;
}

/** Which package it is and for how many months. */
export function PackageTerms({ purchase, quote, onMonths }: PackageTermsProps) {
  const text = useText();
  const id = useId();
  const { custom } = purchase;
  return (
    <section className={styles.card} aria-labelledby={`${id}-title`}>
      <div className={styles.head}>
        <h2 id={`${id}-title`}>
          <bdi>{quote?.lines[0]?.title ?? text('checkout.package')}</bdi>
        </h2>
        <Link to={membershipPath}>{text('checkout.package.change')}</Link>
      </div>
      {custom && (
        <p className={styles.hint}>{text('checkout.custom', { cores: custom.cpuCores, dcu: formatNumber(custom.monthlyDcu) })}</p>
      )}
      <div className={styles.field}>
        <label htmlFor={id}>{text('checkout.months')}</label>
        <Select
          id={id}
          value={purchase.months}
          popupMatchSelectWidth={false}
          options={months.map((count) => ({ value: count, label: text('purchase.months', { count }) }))}
          onChange={onMonths}
        />
      </div>
    </section>
  );
}
