import { BellOutlined } from '@ant-design/icons';
import { useModel } from '@umijs/max';
import { useState } from 'react';
import { useText } from '@/hooks/useText';
import type { AccountOverview } from '@/services/account';
import { formatNumber } from '@/utils/formatNumber';
import styles from './BalanceAlert.less';
import { BalanceAlertForm } from './BalanceAlertForm';

type BalanceAlertState = AccountOverview['alert'];

/** Below which balance the member is told: what is set, and a form to set it. */
export function BalanceAlert({ alert }: { alert: BalanceAlertState }) {
  const text = useText();
  const { refresh } = useModel('balance');
  const [done, setDone] = useState<'account.alert.saved' | 'account.alert.gone'>();
  const amount = formatNumber(alert?.thresholdDcu ?? 0);
  const handleSaved = (isSet: boolean) => {
    setDone(isSet ? 'account.alert.saved' : 'account.alert.gone');
    refresh();
  };
  return (
    <section aria-labelledby="account-alert">
      <h2 id="account-alert">{text('account.alert')}</h2>
      {alert === null && <p className={styles.hint}>{text('account.alert.none')}</p>}
      {alert && (
        <p className={styles.state} data-below={alert.isBelow}>
          <BellOutlined aria-hidden />
          {text(alert.isBelow ? 'account.alert.below' : 'account.alert.above', { amount })}
        </p>
      )}
      {/* What the gateway has, anew: a form half filled in stays as it is while nothing changed there. */}
      <BalanceAlertForm key={`${alert?.thresholdDcu} ${alert?.channels}`} alert={alert} onSaved={handleSaved} />
      <p role="status" className={styles.done}>
        {done && text(done)}
      </p>
    </section>
  );
}
