import { useText } from '@/hooks/useText';
import type { Lot } from '@/services/account';
import { formatNumber } from '@/utils/formatNumber';
import { formatDate, formatMoment } from '@/utils/formatTime';
import styles from './index.less';

const SOON_MS = 6 * 24 * 3_600_000;

/** One part of the balance: where it came from, how much of it is left, when it ends; `mark` is a word beside its source. */
export function LotBar({ lot, mark }: { lot: Lot; mark?: string | undefined }) {
  const text = useText();
  const percent = lot.grantedDcu > 0 ? (100 * lot.remainDcu) / lot.grantedDcu : 0;
  return (
    <div className={styles.lot}>
      <span className={styles.source}>
        {text(`lot.source.${lot.source}`)}
        {mark ? <small>{mark}</small> : null}
      </span>
      <span className={styles.amount}>
        {text('lot.of', { remain: formatNumber(lot.remainDcu), granted: formatNumber(lot.grantedDcu) })}
      </span>
      <span className={styles.track} aria-hidden="true">
        <span style={{ inlineSize: `${percent}%` }} />
      </span>
      <span className={styles.expiry}>
        <Expiry expiresAt={lot.expiresAt} />
      </span>
    </div>
  );
}

function Expiry({ expiresAt }: { expiresAt: string | null }) {
  const text = useText();
  if (expiresAt === null) return text('lot.never');
  const isSoon = new Date(expiresAt).getTime() - Date.now() < SOON_MS;
  if (!isSoon) return text('lot.expires', { date: formatDate(expiresAt) });
  return <b>{text('lot.expires.soon', { moment: formatMoment(expiresAt) })}</b>;
}
