import { CheckCircleFilled } from '@ant-design/icons';
import { Link } from '@umijs/max';
import { Button } from 'antd';
import { useText } from '@/hooks/useText';
import type { Redeemed } from '@/services/coupon';
import { formatNumber } from '@/utils/formatNumber';
import styles from './index.less';

/** Where each kind of gift is found. */
const places: Readonly<Record<Redeemed['gives'], string>> = {
  coupon: '/main/personalCenter/costCenter/coupon',
  dcu: '/main/personalCenter/costCenter/account',
  membership: '/main/personalCenter/costCenter/membership',
};

interface RedeemedNoteProps {
  redeemed: Pick<Redeemed, 'gives' | 'title' | 'dcu' | 'days'>;
  /** Where another code can be typed. */
  onAnother?: () => void;
}

/** What a code or a reward gave and where it is. */
export function RedeemedNote({ redeemed: { gives, title, dcu, days }, onAnother }: RedeemedNoteProps) {
  const text = useText();
  return (
    <div className={styles.redeemed}>
      <div role="status">
        <p className={styles.done}>
          <CheckCircleFilled aria-hidden />
          <bdi>{text('redeem.done', { title })}</bdi>
        </p>
        <p>{text(`redeem.gave.${gives}`, { amount: formatNumber(dcu ?? 0), days: days ?? 0 })}</p>
      </div>
      <div className={styles.ways}>
        {onAnother ? <Button onClick={onAnother}>{text('redeem.another')}</Button> : null}
        <Link to={places[gives]}>{text(`redeem.to.${gives}`)}</Link>
      </div>
    </div>
  );
}
