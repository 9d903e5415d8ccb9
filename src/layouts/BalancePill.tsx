import { BellFilled } from '@ant-design/icons';
import { useModel } from '@umijs/max';
import { Popover } from 'antd';
import { useState } from 'react';
import { RunwayGauge } from '@/components/RunwayGauge';
import { useText } from '@/hooks/useText';
import { formatNumber } from '@/utils/formatNumber';
import { BalanceDetails } from './BalanceDetails';
import styles from './BalancePill.less';

/** The balance, always in sight: a hair line shows how long it lasts; opening it shows what it is made of. */
export function BalancePill() {
  const text = useText();
  const [isOpen, setIsOpen] = useState(false);
  const { overview, remainDcu } = useModel('balance');
  const amount = formatNumber(remainDcu);
  const isBelow = overview?.alert?.isBelow ?? false;
  return (
    <Popover
      open={isOpen}
      onOpenChange={setIsOpen}
      trigger={['click', 'hover']}
      mouseEnterDelay={0.25}
      placement="bottomRight"
      arrow={false}
      content={<BalanceDetails onLeave={() => setIsOpen(false)} />}
    >
      <button
        type="button"
        className={styles.pill}
        aria-expanded={isOpen}
        aria-label={text(isBelow ? 'balance.pill.below' : 'balance.pill', { amount })}
      >
        {isBelow ? <BellFilled className={styles.bell} aria-hidden /> : null}
        <bdi className={styles.figure}>{amount}</bdi>
        <span className={styles.unit}>DCU</span>
        <span className={styles.gauge}>
          <RunwayGauge overview={overview} />
        </span>
      </button>
    </Popover>
  );
}
