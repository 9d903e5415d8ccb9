import { useText } from '@/hooks/useText';
import type { CurrentMembership } from '@/services/membership';
import { formatBytes } from '@/utils/formatBytes';
import { formatNumber } from '@/utils/formatNumber';
import { formatDate, formatDuration, formatInstant } from '@/utils/formatTime';
import { levelWord } from '@/utils/levelWord';
import styles from './CurrentLevel.less';
import { UsageBar } from './UsageBar';

const GIB = 1024 ** 3;
const SOON_MS = 7 * 24 * 3_600_000;

/** The level now, until when it lasts, and what is used of what it allows. */
export function CurrentLevel({ current }: { current: CurrentMembership }) {
  const text = useText();
  const { ceilings, usage, levelFlag, packageName } = current;
  const storage = { used: usage.storageBytes, most: ceilings.storageGb * GIB };
  const figures = (used: number, most: number) => ({ used: formatNumber(used), most: formatNumber(most) });
  return (
    <section className={styles.card} aria-labelledby="membership-now">
      <div className={styles.level}>
        <h2 id="membership-now">{text('membership.now')}</h2>
        <p className={styles.name}>
          <bdi>{packageName || text(levelWord(levelFlag))}</bdi>
        </p>
        <Expiry endsAt={current.memberExpirationDate} />
      </div>
      <div className={styles.usage}>
        <h3>{text('membership.usage')}</h3>
        <ul>
          <UsageBar
            label={text('membership.usage.cpu')}
            used={usage.cpuCores}
            most={ceilings.cpuCores}
            words={text('membership.usage.cpu.of', figures(usage.cpuCores, ceilings.cpuCores))}
          />
          <UsageBar
            label={text('membership.usage.rate')}
            used={usage.dcuPerHour}
            most={ceilings.dcuPerHour}
            words={text('membership.usage.rate.of', figures(usage.dcuPerHour, ceilings.dcuPerHour))}
          />
          <UsageBar
            label={text('membership.usage.labs')}
            used={usage.runningLabs}
            most={ceilings.runningLabs}
            words={text('membership.usage.labs.of', figures(usage.runningLabs, ceilings.runningLabs))}
          />
          <UsageBar
            label={text('membership.usage.storage')}
            {...storage}
            words={text('membership.usage.storage.of', { used: formatBytes(storage.used), most: formatBytes(storage.most) })}
          />
        </ul>
        <p className={styles.also}>{text('membership.also', { images: ceilings.privateImages, hours: ceilings.maxHours })}</p>
      </div>
    </section>
  );
}

function Expiry({ endsAt }: { endsAt: string }) {
  const text = useText();
  if (endsAt === '') return <p className={styles.expiry}>{text('membership.free')}</p>;
  const leftMs = new Date(endsAt).getTime() - Date.now();
  return (
    <>
      <p className={styles.expiry}>
        <time dateTime={endsAt} title={formatInstant(endsAt)}>
          {text('membership.until', { date: formatDate(endsAt) })}
        </time>
      </p>
      {leftMs < SOON_MS ? (
        <p className={styles.soon}>
          <b>{text('membership.ends', { duration: formatDuration(leftMs) })}</b>{' '}
          <a href="#packages">{text('membership.ends.way')}</a>
        </p>
      ) : null}
    </>
  );
}
