import { useNavigate } from '@umijs/max';
import { Button, Tabs } from 'antd';
import { PagedList } from '@/components/PagedList';
import { ListSkeleton } from '@/components/PagedList/ListSkeleton';
import { PageHeading } from '@/components/PageHeading';
import { RedeemButton } from '@/components/RedeemDialog/RedeemButton';
import { Spoken } from '@/components/Spoken';
import { withWords } from '@/components/withWords';
import { usePage, wordFilter } from '@/hooks/usePage';
import { useText } from '@/hooks/useText';
import couponEn from '@/locales/en-US/coupon';
import redeemEn from '@/locales/en-US/redeem';
import couponZh from '@/locales/zh-CN/coupon';
import redeemZh from '@/locales/zh-CN/redeem';
import { type Coupon, type CouponPage, pageCoupons } from '@/services/coupon';
import { CouponTicket } from './components/CouponTicket';
import { type CouponTab, couponTabs } from './components/couponTabs';
import styles from './index.less';

interface CouponFilters {
  status: CouponTab;
}

const filters = { status: wordFilter(couponTabs) };

/** The tab stands in the URL as the list's one filter; the first tab is what an address without it shows. */
function useCoupons() {
  const page = usePage<Coupon, CouponFilters>({ filters, load: pageCoupons });
  const counts = (page.data as CouponPage | undefined)?.counts;
  // A tab is no search: an empty one says what would be in it, not that nothing matches.
  return { page: { ...page, isFiltered: false }, counts, tab: page.filters.status ?? 'usable' };
}

/** My coupons: those to use, those used and those that ended. */
function CouponsPage() {
  const text = useText();
  const { page, counts, tab } = useCoupons();
  const label = (status: CouponTab) => (
    <span>
      {text(`coupon.tab.${status}`)}
      {counts ? (
        <small className={styles.count}>
          <span aria-hidden="true">{counts[status]}</span>
          <Spoken>{text('coupon.tab.count', { count: counts[status] })}</Spoken>
        </small>
      ) : null}
    </span>
  );
  const list = (
    <PagedList
      page={page}
      skeleton={<ListSkeleton shape="cards" />}
      empty={{ drawing: 'key', words: text(`coupon.empty.${tab}`), action: <EmptyStep tab={tab} /> }}
      totalWords={text('coupon.total', { total: page.total })}
    >
      {(coupons) => (
        <ul className={styles.tickets} aria-label={text(`coupon.tab.${tab}`)}>
          {coupons.map((coupon) => (
            <li key={coupon.couponId}>
              <CouponTicket coupon={coupon} />
            </li>
          ))}
        </ul>
      )}
    </PagedList>
  );
  return (
    <>
      <PageHeading title={text('menu.costCenter.coupon')} actions={<RedeemButton onRedeemed={page.refresh} />} />
      <Tabs
        className={styles.tabs}
        activeKey={tab}
        onChange={(status) => page.setFilters({ status: couponTabs.find((one) => one === status && one !== 'usable') })}
        items={couponTabs.map((status) => ({
          key: status,
          label: label(status),
          children: status === tab ? list : null,
        }))}
      />
    </>
  );
}

function EmptyStep({ tab }: { tab: CouponTab }) {
  const text = useText();
  const navigate = useNavigate();
  if (tab !== 'usable') return null;
  return <Button onClick={() => navigate('/main/personalCenter/pointsCenter')}>{text('coupon.empty.points')}</Button>;
}

export default withWords(CouponsPage, { 'en-US': { ...couponEn, ...redeemEn }, 'zh-CN': { ...couponZh, ...redeemZh } });
