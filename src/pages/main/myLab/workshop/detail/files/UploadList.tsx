import { Button } from 'antd';
import { useText } from '@/hooks/useText';
import { formatPercent } from '@/utils/formatNumber';
import styles from './index.less';
import { readableName } from './names';
import { type UploadItem, useUploads } from './uploads';

const words = {
  waiting: 'files.upload.waiting',
  sending: 'files.upload.sending',
  done: 'files.upload.done',
  conflict: 'files.upload.conflict',
  failed: 'files.upload.failed',
  skipped: 'files.upload.skipped',
  cancelled: 'files.upload.cancelled',
} as const;

/** What is being uploaded, how far each is, and what to do about those that cannot go on by themselves. */
export function UploadList({ workshopId }: { workshopId: string }) {
  const text = useText();
  const { uploads, items } = useUploads(workshopId);
  if (items.length === 0) return null;
  const open = items.filter(({ state }) => state === 'waiting' || state === 'sending').length;
  const conflicts = items.filter(({ state }) => state === 'conflict').length;
  const done = items.filter(({ state }) => state === 'done').length;
  return (
    <section className={styles.uploads} aria-label={text('files.uploads')}>
      <header>
        <h2>{text('files.uploads')}</h2>
        <p role="status">{text('files.uploads.state', { done, total: items.length })}</p>
        {open > 0 ? (
          <Button size="small" onClick={() => uploads.cancelAll()}>
            {text('files.uploads.cancelAll')}
          </Button>
        ) : (
          <Button size="small" onClick={() => uploads.clear()}>
            {text('files.uploads.clear')}
          </Button>
        )}
      </header>
      {conflicts > 1 && (
        <p className={styles.conflicts}>
          <span>{text('files.upload.conflicts', { count: conflicts })}</span>
          <Button size="small" onClick={() => uploads.settleConflicts('replace')}>
            {text('files.upload.replaceAll')}
          </Button>
          <Button size="small" onClick={() => uploads.settleConflicts('keepBoth')}>
            {text('files.upload.keepAll')}
          </Button>
          <Button size="small" onClick={() => uploads.settleConflicts('skip')}>
            {text('files.upload.skipAll')}
          </Button>
        </p>
      )}
      <ul>
        {items.map((item) => (
          <UploadRow key={item.id} item={item} workshopId={workshopId} />
        ))}
      </ul>
    </section>
  );
}

function UploadRow({ item, workshopId }: { item: UploadItem; workshopId: string }) {
  const text = useText();
  const { id, path, file, state, sentBytes, failure } = item;
  const name = readableName(path);
  const share = state === 'done' ? 1 : state !== 'sending' || file.size === 0 ? 0 : Math.min(1, sentBytes / file.size);
  return (
    <li data-state={state}>
      <span className={styles.uploadName} title={name}>
        <bdi>{name}</bdi>
      </span>
      <div
        role="progressbar"
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor(share * 100)}
        className={styles.bar}
      >
        <span style={{ inlineSize: `${share * 100}%` }} />
      </div>
      <span className={styles.uploadState}>
        {state === 'sending' ? formatPercent(share) : text(words[state])}
        {state === 'failed' && ` ${failure || text('error.network')}`}
      </span>
      <UploadButtons id={id} name={name} state={state} workshopId={workshopId} />
    </li>
  );
}

type ButtonsProps = Pick<UploadItem, 'id' | 'state'> & { name: string; workshopId: string };

function UploadButtons({ id, name, state, workshopId }: ButtonsProps) {
  const text = useText();
  const { uploads } = useUploads(workshopId);
  const button = (word: 'cancel' | 'retry' | 'replace' | 'keepBoth' | 'skip', act: () => void) => (
    <Button size="small" aria-label={`${text(`files.upload.${word}`)} ${name}`} onClick={act}>
      {text(`files.upload.${word}`)}
    </Button>
  );
  if (state === 'waiting' || state === 'sending') return <div>{button('cancel', () => uploads.cancel(id))}</div>;
  if (state === 'failed' || state === 'cancelled') return <div>{button('retry', () => uploads.retry(id))}</div>;
  if (state !== 'conflict') return null;
  return (
    <div>
      {button('replace', () => uploads.retry(id, 'replace'))}
      {button('keepBoth', () => uploads.retry(id, 'keepBoth'))}
      {button('skip', () => uploads.skip(id))}
    </div>
  );
}
