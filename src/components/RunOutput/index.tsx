import { CopyOutlined, DownloadOutlined } from '@ant-design/icons';
import { useRequest } from 'ahooks';
import { Button, Checkbox, message, Skeleton } from 'antd';
import { useCallback, useEffect, useRef, useState } from 'react';
import { usePollWhile } from '@/hooks/usePollWhile';
import { useText } from '@/hooks/useText';
import { getRunOutput, type RunOutputAnswer, runOutputPath } from '@/services/labSession';
import { formatDateTime } from '@/utils/formatTime';
import { ErrorState } from '../ErrorState';
import { StaleNote } from '../StaleNote';
import { copyWords } from '../Terminal/clipboard';
import styles from './index.less';

interface RunOutputProps {
  workshopId: string;
  sessionId: string;
}

const DAY_MS = 86_400_000;

/** Keeps the newest line in sight while it is followed; whoever scrolls up reads undisturbed. */
function useFollowing(text: string | undefined) {
  const host = useRef<HTMLPreElement>(null);
  const [isFollowing, setIsFollowing] = useState(true);
  useEffect(() => {
    if (host.current && isFollowing && text !== undefined) host.current.scrollTop = host.current.scrollHeight;
  }, [text, isFollowing]);
  const handleScroll = () => {
    const element = host.current;
    if (element) setIsFollowing(element.scrollHeight - element.scrollTop - element.clientHeight < 24);
  };
  return { host, isFollowing, setIsFollowing, handleScroll };
}

/** What a run printed: its tail, followed while it runs; afterwards what was kept of it. */
export function RunOutput({ workshopId, sessionId }: RunOutputProps) {
  const text = useText();
  const load = useCallback(() => getRunOutput({ workshopId, sessionId }), [workshopId, sessionId]);
  const request = useRequest(load, { refreshDeps: [load], onError: () => undefined });
  // What has ended prints no more.
  usePollWhile<RunOutputAnswer>(request, ({ isLive }) => isLive, { slowMs: DAY_MS });
  const { data, error, loading, refresh } = request;
  const [isWrapped, setIsWrapped] = useState(true);
  const { host, isFollowing, setIsFollowing, handleScroll } = useFollowing(data?.text);
  if (!data && error) return <ErrorState error={error} onRetry={refresh} isRetrying={loading} />;
  if (!data) return <Skeleton active paragraph={{ rows: 6 }} />;
  // What scrolls must be reachable without a mouse.
  const reachable = { role: 'group', 'aria-label': text('run.output'), tabIndex: 0 };
  const handleCopy = async () => {
    const name = text('run.output');
    if (await copyWords(data.text)) message.success(text('copy.done', { name }));
    else message.info(text('copy.byHand'));
  };
  return (
    <section className={styles.output} aria-label={text('run.output')}>
      {error && <StaleNote error={error} onRetry={refresh} isRetrying={loading} />}
      <div className={styles.tools}>
        {data.isLive && (
          <Checkbox checked={isFollowing} onChange={({ target }) => setIsFollowing(target.checked)}>
            {text('run.output.follow')}
          </Checkbox>
        )}
        <Checkbox checked={isWrapped} onChange={({ target }) => setIsWrapped(target.checked)}>
          {text('run.output.wrap')}
        </Checkbox>
        <span className={styles.spacer} />
        <Button icon={<CopyOutlined aria-hidden />} disabled={data.text === ''} onClick={handleCopy}>
          {text('run.output.copy')}
        </Button>
        <Button icon={<DownloadOutlined aria-hidden />} href={runOutputPath({ workshopId, sessionId })} download>
          {text('run.output.download')}
        </Button>
      </div>
      {data.isCut && <p className={styles.note}>{text('run.output.cut')}</p>}
      {data.text === '' ? (
        <p className={styles.note}>{text(data.isLive ? 'run.output.nothingYet' : 'run.output.nothing')}</p>
      ) : (
        <pre ref={host} dir="ltr" {...reachable} data-wrap={isWrapped} className={styles.text} onScroll={handleScroll}>
          {data.text}
        </pre>
      )}
      <p className={styles.note} role="status">
        {data.endedAt ? text('run.output.ended', { at: formatDateTime(data.endedAt) }) : data.isLive && text('run.output.live')}
      </p>
    </section>
  );
}
