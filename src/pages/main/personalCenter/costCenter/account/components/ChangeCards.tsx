import { DcuAmount } from '@/components/DcuAmount';
import { useText } from '@/hooks/useText';
import type { DcuChange } from '@/services/account';
import { formatDateTime } from '@/utils/formatTime';
import styles from './ChangeCards.less';
import { ChangeSubject } from './ChangeSubject';

/** The changes on a phone, one card each. */
export function ChangeCards({ changes }: { changes: DcuChange[] }) {
  const text = useText();
  return (
    <ul className={styles.cards}>
      {changes.map((change) => (
        <li key={change.changeId}>
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
        </li>
      ))}
    </ul>
  );
}
