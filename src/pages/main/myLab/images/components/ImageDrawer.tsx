import { DownloadOutlined } from '@ant-design/icons';
import { Link, useNavigate } from '@umijs/max';
import { useRequest } from 'ahooks';
import { Button, Drawer } from 'antd';
import type { ReactNode } from 'react';
import { CopyableText } from '@/components/CopyableText';
import { ErrorState } from '@/components/ErrorState';
import { labPath } from '@/components/LabCard/labFacts';
import { ListSkeleton } from '@/components/PagedList/ListSkeleton';
import { useText } from '@/hooks/useText';
import { getImageDetail, imageDownloadPath, type LabImageDetail } from '@/services/labImage';
import { formatBytes } from '@/utils/formatBytes';
import { formatInstant } from '@/utils/formatTime';
import { currentDirection } from '@/utils/language';
import styles from '../index.less';
import { calledOf, startPath } from './imageFacts';

/** Everything about one image: size, checksum, what it was made from and what uses it. */
export function ImageDrawer({ imageId, onClose }: { imageId: string | null; onClose: () => void }) {
  const text = useText();
  const { data, error, loading, refresh } = useRequest(() => getImageDetail(imageId ?? ''), {
    ready: imageId !== null,
    refreshDeps: [imageId],
    onError: () => undefined,
  });
  const image = data?.imageId === imageId ? data : undefined;
  return (
    <Drawer
      open={imageId !== null}
      placement={currentDirection() === 'rtl' ? 'left' : 'right'}
      width={520}
      title={image ? calledOf(image) : text('image.details')}
      closable={{ 'aria-label': text('image.close') }}
      onClose={onClose}
      footer={image?.state === 'READY' ? <Ways image={image} /> : null}
    >
      {image ? (
        <Facts image={image} />
      ) : error && !loading ? (
        <ErrorState error={error} onRetry={refresh} isRetrying={loading} />
      ) : (
        <ListSkeleton shape="rows" />
      )}
    </Drawer>
  );
}

function Ways({ image }: { image: LabImageDetail }) {
  const text = useText();
  const navigate = useNavigate();
  const name = calledOf(image);
  return (
    <div className={styles.actions}>
      <Button type="primary" disabled={!image.isAvailable} title={image.reason} onClick={() => navigate(startPath(image.imageId))}>
        {text('image.start')}
      </Button>
      <Button
        href={imageDownloadPath(image.imageId)}
        download
        icon={<DownloadOutlined aria-hidden />}
        aria-label={text('image.download.of', { name })}
      >
        {text('image.download')}
      </Button>
    </div>
  );
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Facts({ image }: { image: LabImageDetail }) {
  const text = useText();
  const { sizeBytes, layerBytes, files, sha256, readyAt, workshop, usedBy, secretPaths } = image;
  return (
    <>
      {image.description && (
        <p className={styles.about}>
          <bdi>{image.description}</bdi>
        </p>
      )}
      {image.failure && (
        <p className={styles.reason}>
          <bdi>{image.failure.hint}</bdi>
        </p>
      )}
      <dl className={styles.facts}>
        {sizeBytes !== null && <Fact title={text('image.size')}>{formatBytes(sizeBytes)}</Fact>}
        {layerBytes !== null && <Fact title={text('image.layer')}>{formatBytes(layerBytes)}</Fact>}
        {files !== null && <Fact title={text('image.files')}>{files}</Fact>}
        {readyAt && <Fact title={text('image.savedAt')}>{formatInstant(readyAt)}</Fact>}
        {workshop && (
          <Fact title={text('image.savedFrom')}>
            {workshop.isThere ? (
              <Link to={labPath(workshop.workshopId)}>{workshop.name}</Link>
            ) : (
              text('image.savedFrom.gone', { name: workshop.name })
            )}
          </Fact>
        )}
        <Fact title={text('image.usedBy')}>{usedBy.length === 0 ? text('image.usedBy.none') : <Users usedBy={usedBy} />}</Fact>
        <Fact title={text('image.history')}>
          <History image={image} />
        </Fact>
        {secretPaths.length > 0 && (
          <Fact title={text('image.secrets')}>
            <ul>
              {secretPaths.map((path) => (
                <li key={path}>
                  <bdi>{path}</bdi>
                </li>
              ))}
            </ul>
          </Fact>
        )}
        {sha256 && (
          <Fact title={text('image.checksum')}>
            <CopyableText words={sha256} name={text('image.checksum')} />
          </Fact>
        )}
      </dl>
    </>
  );
}

function Users({ usedBy }: Pick<LabImageDetail, 'usedBy'>) {
  return (
    <ul>
      {usedBy.map(({ workshopId, name }) => (
        <li key={workshopId}>
          <Link to={labPath(workshopId)}>{name}</Link>
        </li>
      ))}
    </ul>
  );
}

/** Nearest first, down to the basic image everything stands on. */
function History({ image }: { image: LabImageDetail }) {
  const text = useText();
  return (
    <ol>
      {image.history.map((one) => (
        <li key={one.imageId}>
          {one.name === '' ? text('image.history.hidden') : <bdi>{calledOf(one)}</bdi>}
          {one.savedAt && <small> {formatInstant(one.savedAt)}</small>}
        </li>
      ))}
      <li>{text('image.history.base', { name: image.base.name })}</li>
    </ol>
  );
}
