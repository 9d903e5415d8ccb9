import { Spoken } from '@/components/Spoken';
import { useText } from '@/hooks/useText';
import type { Ceilings } from '@/services/membership';
import { formatBytes } from '@/utils/formatBytes';
import { formatNumber } from '@/utils/formatNumber';
import type { Text } from '@/utils/words';
import styles from './FeatureList.less';

const GIB = 1024 ** 3;

/** What a package allows, in the order in which it is read. */
const features: readonly { key: keyof Ceilings; words: (value: number, text: Text) => string }[] = [
  { key: 'cpuCores', words: (count, text) => text('membership.feature.cpuCores.value', { count }) },
  { key: 'dcuPerHour', words: (value) => formatNumber(value) },
  { key: 'runningLabs', words: (value) => formatNumber(value) },
  { key: 'storageGb', words: (value) => formatBytes(value * GIB) },
  { key: 'privateImages', words: (value) => formatNumber(value) },
  { key: 'maxHours', words: (hours, text) => text('membership.feature.maxHours.value', { hours }) },
];

interface FeatureListProps {
  ceilings: Ceilings;
  monthlyDcu?: number;
  /** What there is now: what differs from it is marked. */
  now?: Ceilings | undefined;
}

/** What a package brings and allows; with a mark and a word where it is more or less than now. */
export function FeatureList({ ceilings, monthlyDcu, now }: FeatureListProps) {
  const text = useText();
  return (
    <dl className={styles.features}>
      {monthlyDcu === undefined ? null : (
        <div>
          <dt>{text('membership.feature.monthlyDcu')}</dt>
          <dd>{monthlyDcu > 0 ? formatNumber(monthlyDcu) : text('membership.feature.monthlyDcu.none')}</dd>
        </div>
      )}
      {features.map(({ key, words }) => (
        <div key={key}>
          <dt>{text(`membership.feature.${key}`)}</dt>
          <dd>
            {words(ceilings[key], text)} <Change by={now ? ceilings[key] - now[key] : 0} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Change({ by }: { by: number }) {
  const text = useText();
  if (by === 0) return null;
  const change = by > 0 ? 'more' : 'less';
  return (
    <>
      <span aria-hidden="true" className={styles.change} data-change={change}>
        {change === 'more' ? '▲' : '▽'}
      </span>
      <Spoken>{text(`membership.feature.${change}`)}</Spoken>
    </>
  );
}
