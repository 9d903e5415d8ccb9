import { useText } from '@/hooks/useText';
import type { Brings } from '@/services/order';
import { formatBytes } from '@/utils/formatBytes';
import { formatNumber } from '@/utils/formatNumber';
import { formatDate } from '@/utils/formatTime';
import { levelWord } from '@/utils/levelWord';
import type { Text } from '@/utils/words';
import styles from './index.less';

const GB = 1024 ** 3;

function dcuWords({ dcu, bonusDcu, couponDcu }: Brings, text: Text): string[] {
  return [
    dcu > 0 && text('purchase.brings.dcu', { amount: formatNumber(dcu) }),
    bonusDcu > 0 && text('purchase.brings.bonus', { amount: formatNumber(bonusDcu) }),
    couponDcu > 0 && text('purchase.brings.coupon', { amount: formatNumber(couponDcu) }),
  ].filter((words) => words !== false);
}

function packageWords(pack: NonNullable<Brings['package']>, text: Text): string[] {
  const { effect, firstDcu, monthlyDcu, ceilings } = pack;
  const level = text(levelWord(pack.levelFlag));
  const monthly = formatNumber(monthlyDcu);
  return [
    text(`purchase.brings.${effect}`, { level, start: formatDate(pack.startsAt), end: formatDate(pack.endsAt) }),
    ...(monthlyDcu === 0
      ? []
      : firstDcu === monthlyDcu
        ? [text('purchase.brings.monthly', { amount: monthly })]
        : [text('purchase.brings.first', { first: formatNumber(firstDcu), amount: monthly })]),
    text('purchase.brings.ceilings', {
      cores: ceilings.cpuCores,
      rate: formatNumber(ceilings.dcuPerHour),
      labs: ceilings.runningLabs,
      hours: ceilings.maxHours,
      storage: formatBytes(ceilings.storageGb * GB),
    }),
  ];
}

/** What an order brings, a line each: its DCU and how long they last, its package with when it runs and what it allows. */
export function BringsList({ brings }: { brings: Brings }) {
  const text = useText();
  const dcu = dcuWords(brings, text);
  const expiry = brings.dcuExpireAt
    ? text('purchase.brings.until', { date: formatDate(brings.dcuExpireAt) })
    : text('purchase.brings.forever');
  return (
    <ul className={styles.brings}>
      {dcu.map((words, index) => (
        <li key={words}>
          {words}
          {index === dcu.length - 1 && !brings.package && <small>{expiry}</small>}
        </li>
      ))}
      {brings.package && packageWords(brings.package, text).map((words) => <li key={words}>{words}</li>)}
    </ul>
  );
}
