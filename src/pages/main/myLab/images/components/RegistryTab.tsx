import { Button } from 'antd';
import { useState } from 'react';
import { CopyableText } from '@/components/CopyableText';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { ListSkeleton } from '@/components/PagedList/ListSkeleton';
import { useCached } from '@/hooks/useCached';
import { useText } from '@/hooks/useText';
import { getHarborInfo } from '@/services/labImage';
import { formatInstant } from '@/utils/formatTime';
import styles from '../index.less';

const DOTS = '••••••••';

/** Where the member pushes container images, with lines to copy; explained where this site has no registry. */
export function RegistryTab() {
  const text = useText();
  const { data, error, loading, refresh } = useCached('harborInfo', getHarborInfo);
  const [isShown, setIsShown] = useState(false);
  if (error && !data) return <ErrorState error={error} onRetry={refresh} isRetrying={loading} />;
  if (!data) return <ListSkeleton shape="rows" />;
  if (!data.isConfigured) return <EmptyState drawing="map" words={text('image.registry.none')} />;
  return (
    <>
      <p>{text('image.registry.words')}</p>
      <dl className={styles.facts}>
        <dt>{text('image.registry.address')}</dt>
        <dd>
          <CopyableText words={data.registry} name={text('image.registry.address')} />
        </dd>
        <dt>{text('image.registry.project')}</dt>
        <dd>
          <CopyableText words={data.project} name={text('image.registry.project')} />
        </dd>
        <dt>{text('image.registry.robot')}</dt>
        <dd>
          <CopyableText words={data.robot} name={text('image.registry.robot')} />
        </dd>
        <dt>{text('image.registry.secret')}</dt>
        <dd>
          <CopyableText words={data.secret} shown={isShown ? data.secret : DOTS} name={text('image.registry.secret')} />
          <Button size="small" type="link" aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
            {text(isShown ? 'image.registry.hide' : 'image.registry.show')}
          </Button>
        </dd>
      </dl>
      <Line
        title={text('image.registry.login')}
        line={data.loginLine}
        shown={isShown ? data.loginLine : data.loginLine.replace(data.secret, DOTS)}
      />
      <Line title={text('image.registry.push')} line={data.pushLine} shown={data.pushLine} />
      {data.expiresAt && <p>{text('image.registry.expires', { date: formatInstant(data.expiresAt) })}</p>}
    </>
  );
}

/** A line for a shell: copied whole, shown without its password until that is asked for. */
function Line({ title, line, shown }: { title: string; line: string; shown: string }) {
  return (
    <section className={styles.lines} aria-label={title}>
      <strong>{title}</strong>
      <CopyableText words={line} shown={shown} name={title} />
    </section>
  );
}
