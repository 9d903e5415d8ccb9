import { useText } from '@/hooks/useText';
import type { CpuSpec } from '@/services/workshop';
import { formatExact, formatNumber } from '@/utils/formatNumber';
import { formatDuration } from '@/utils/formatTime';
import styles from './createDrawer.less';
import { type Balance, whatItBuys } from './price';

interface CostFooterProps {
  spec: CpuSpec | undefined;
  balance: Balance | undefined;
  isStarting: boolean;
}

/** What the choice costs, always in sight: an hour's price, what a start holds, what is left after an hour. */
export default function CostFooter({ spec, balance, isStarting }: CostFooterProps) {
  const text = useText();
  if (!spec) return null;
  const dcu = (value: number) => (
    <span title={text('workshop.exact', { value: formatExact(value) })}>{text('common.dcu', { amount: formatNumber(value) })}</span>
  );
  const buys = balance && whatItBuys(balance, spec.dcuPerHour, new Date());
  return (
    <>
      <dl className={styles.costs}>
        <div>
          <dt>{text('workshop.create.footer.price')}</dt>
          <dd>{dcu(spec.dcuPerHour)}</dd>
        </div>
        {buys && (
          <>
            <div>
              <dt>{text('workshop.create.footer.held')}</dt>
              <dd>{dcu(buys.heldDcu)}</dd>
            </div>
            {buys.hasEnough && (
              <div>
                <dt>{text('workshop.create.footer.after')}</dt>
                <dd>
                  {buys.afterOneHourDcu === null
                    ? text('workshop.create.footer.stopsFirst', { duration: formatDuration(buys.runwayMs ?? 0) })
                    : dcu(buys.afterOneHourDcu)}
                </dd>
              </div>
            )}
          </>
        )}
      </dl>
      {isStarting && balance && buys && !buys.hasEnough && (
        <p className={styles.short} role="status">
          {text('workshop.create.held.short', {
            needed: formatNumber(buys.heldDcu),
            available: formatNumber(balance.availableDcu),
          })}
        </p>
      )}
    </>
  );
}
