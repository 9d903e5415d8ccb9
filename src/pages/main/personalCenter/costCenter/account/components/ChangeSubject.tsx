import { Link } from '@umijs/max';
import { useText } from '@/hooks/useText';
import type { DcuChange } from '@/services/account';
import { formatNumber } from '@/utils/formatNumber';
import { formatDuration } from '@/utils/formatTime';
import { orderPath } from '@/utils/orderPaths';
import type { Word } from '@/utils/words';
import styles from './ChangeSubject.less';

/** What the ledger notes about gifts of the platform's own, in the reader's language. */
const notes: Readonly<Record<string, Word>> = {
  'signup gift': 'change.subject.signup',
  'demo member': 'change.subject.demo',
  'redeemed code': 'change.subject.code',
  reward: 'change.subject.reward',
};

/** What a change was for: the lab it paid for, with how long at which rate, the order it came of, or the gift's name. */
export function ChangeSubject({ change }: { change: DcuChange }) {
  const text = useText();
  const { observedMs, dcuPerHour, workshopId, orderId } = change;
  const path = workshopId ? `/main/myLab/workshop/detail/${workshopId}` : orderId ? orderPath(orderId) : null;
  // A workshop may have any name, also one of these.
  const note = workshopId ? undefined : notes[change.subject];
  const subject = note ? text(note) : change.subject || text(`change.kind.${change.kind}`);
  return (
    <span className={styles.subject}>
      {path ? (
        <Link to={path}>
          <bdi>{subject}</bdi>
        </Link>
      ) : (
        <b>
          <bdi>{subject}</bdi>
        </b>
      )}
      {observedMs !== null && dcuPerHour !== null ? (
        <small>{text('change.usage', { duration: formatDuration(observedMs), rate: formatNumber(dcuPerHour) })}</small>
      ) : null}
    </span>
  );
}
