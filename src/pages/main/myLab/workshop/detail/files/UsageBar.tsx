import { useText } from '@/hooks/useText';
import type { FolderListing } from '@/services/workshopFile';
import { formatBytes } from '@/utils/formatBytes';
import styles from './index.less';

type Room = Pick<FolderListing, 'usedBytes' | 'limitBytes' | 'memberUsedBytes' | 'memberLimitBytes'>;

/** How full the lab's disk and the level's storage are. */
export function UsageBar({ room }: { room: Room }) {
  return (
    <div className={styles.usage}>
      <Meter word="files.usage.disk" used={room.usedBytes} limit={room.limitBytes} />
      <Meter word="files.usage.level" used={room.memberUsedBytes} limit={room.memberLimitBytes} />
    </div>
  );
}

const NEARLY_FULL = 0.9;

function Meter({ word, used, limit }: { word: 'files.usage.disk' | 'files.usage.level'; used: number; limit: number }) {
  const text = useText();
  const share = limit > 0 ? Math.min(1, used / limit) : 1;
  const words = text(word, { used: formatBytes(used), limit: formatBytes(limit) });
  return (
    <div>
      <p>
        {words}
        {share >= NEARLY_FULL && <strong>{text('files.usage.full')}</strong>}
      </p>
      <meter className={styles.meter} min={0} max={1} high={NEARLY_FULL} value={share} aria-label={words} />
    </div>
  );
}
