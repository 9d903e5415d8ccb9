import { DcuAmount } from '@/components/DcuAmount';
import { useText } from '@/hooks/useText';
import type { DcuChange } from '@/services/account';
import { formatDateTime } from '@/utils/formatTime';
import styles from './ChangeCard.less';
import { ChangeSubject } from './ChangeSubject';

/** A change on a phone. */
export function ChangeCard({ change }: { change: DcuChange }) {
  const text = useText();
  return (
    <div className={styles.card}>
      <ChangeSubject change={change} />
      <span className={styles.amount}>
        <DcuAmount value={change.amountDcu} isSigned isBare />
      </span>
      <small>
        {text(`change.kind.${change.kind}`)} · {formatDateTime(change.at)}
      </small>
      <small className={styles.balance}>
        <DcuAmount value={change.balanceAfterDcu} />
      </small>
    </div>
  );
}
