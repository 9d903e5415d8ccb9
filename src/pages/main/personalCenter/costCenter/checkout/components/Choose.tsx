import { Link, useSearchParams } from '@umijs/max';
import { EmptyState } from '@/components/EmptyState';
import { PageHeading } from '@/components/PageHeading';
import { useUrlQuery } from '@/hooks/usePage';
import { useText } from '@/hooks/useText';
import { membershipPath } from '@/utils/orderPaths';
import { CouponPicker } from './CouponPicker';
import styles from './choose.less';
import { PackageTerms } from './PackageTerms';
import { PointsField } from './PointsField';
import { purchaseOf } from './purchaseOf';
import { SkuPicker } from './SkuPicker';
import { Summary } from './Summary';
import { useQuote } from './useQuote';

/** What is bought, what makes it cheaper, and what it comes to: everything is seen before anything is ordered. */
export default function Choose() {
  const text = useText();
  const [search] = useSearchParams();
  const { writeQuery } = useUrlQuery();
  const purchase = purchaseOf(search);
  const live = useQuote(purchase, search.get('coupon') ?? undefined);
  const isPackage = search.has('package');
  if (isPackage && purchase === null) {
    const action = <Link to={membershipPath}>{text('checkout.package.change')}</Link>;
    return <EmptyState drawing="map" words={text('checkout.unavailable.title')} action={action} />;
  }
  return (
    <>
      <PageHeading title={text('menu.costCenter.checkout')} />
      <div className={styles.columns}>
        <div className={styles.choices}>
          {purchase && 'packageId' in purchase ? (
            <PackageTerms purchase={purchase} quote={live.quote} onMonths={(months) => writeQuery({ months })} />
          ) : (
            <SkuPicker
              purchase={purchase}
              onChange={({ skuId, quantity }) => writeQuery({ sku: skuId, quantity: quantity === 1 ? null : quantity })}
            />
          )}
          {live.quote && (
            <>
              <CouponPicker live={live} quote={live.quote} />
              <PointsField live={live} quote={live.quote} />
            </>
          )}
        </div>
        <Summary purchase={purchase} live={live} />
      </div>
    </>
  );
}
