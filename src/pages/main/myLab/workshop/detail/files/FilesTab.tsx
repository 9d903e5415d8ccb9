import { useRequest } from 'ahooks';
import { Button, Skeleton } from 'antd';
import { useCallback, useEffect, useState } from 'react';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { StaleNote } from '@/components/StaleNote';
import { useUrlQuery } from '@/hooks/usePage';
import { useText } from '@/hooks/useText';
import { listFiles } from '@/services/workshopFile';
import { isCallError } from '@/utils/callError';
import { errors } from '../../../../../../../gateway/contract/errors';
import { draftOf } from './drafts';
import type { PickedFile } from './droppedFiles';
import { Folder } from './Folder';
import styles from './index.less';
import { pathIn } from './names';
import { TextEditor } from './TextEditor';
import { UploadList } from './UploadList';
import { useUploads } from './uploads';

function useFolder(workshopId: string) {
  const { search, writeQuery } = useUrlQuery();
  const folder = new URLSearchParams(search).get('folder') ?? '';
  const request = useRequest(() => listFiles(workshopId, folder), {
    refreshDeps: [workshopId, folder],
    onError: () => undefined,
  });
  const { data, error, loading, refresh } = request;
  const go = useCallback((to: string) => writeQuery({ folder: to }, true), [writeQuery]);
  return { folder, go, listing: data?.path === folder ? data : undefined, error, isLoading: loading, refresh };
}

/** The files of a workshop: browse, upload, edit, download, also while the lab is stopped. */
export function FilesTab({ workshopId }: { workshopId: string }) {
  const { folder, go, listing, error, isLoading, refresh } = useFolder(workshopId);
  const { uploads, items } = useUploads(workshopId);
  const kept = draftOf(workshopId);
  const [editing, setEditing] = useState(kept && { draft: kept, isWritable: true });
  const done = items.filter(({ state }) => state === 'done').length;
  // What has arrived is shown; many at once are looked for once.
  useEffect(() => {
    if (done === 0) return;
    const timer = setTimeout(refresh, 300);
    return () => clearTimeout(timer);
  }, [done, refresh]);
  const upload = (files: readonly PickedFile[]) =>
    uploads.add(files.map(({ path, file }) => ({ path: pathIn(folder, path), file })));
  return (
    <div className={styles.files}>
      {editing && (
        <TextEditor
          key={editing.draft.path}
          workshopId={workshopId}
          {...editing}
          onSaved={refresh}
          onClose={() => setEditing(undefined)}
        />
      )}
      <div hidden={editing !== undefined}>
        {listing && error && <StaleNote error={error} isRetrying={isLoading} onRetry={refresh} />}
        {listing ? (
          <Folder
            key={folder}
            workshopId={workshopId}
            listing={listing}
            onGo={go}
            onRefresh={refresh}
            onUpload={upload}
            onEdit={(draft, isWritable) => setEditing({ draft, isWritable })}
          />
        ) : (
          <Missing error={error} folder={folder} isLoading={isLoading} onGo={go} onRetry={refresh} />
        )}
      </div>
      <UploadList workshopId={workshopId} />
    </div>
  );
}

interface MissingProps {
  error: Error | undefined;
  folder: string;
  isLoading: boolean;
  onGo: (folder: string) => void;
  onRetry: () => void;
}

/** In the place of a folder that is not there yet, or not any more. */
function Missing({ error, folder, isLoading, onGo, onRetry }: MissingProps) {
  const text = useText();
  const isGone = isCallError(error, errors.FILE_NOT_FOUND.code) || isCallError(error, errors.FILE_NOT_A_FOLDER.code);
  if (error && isGone && folder !== '') {
    const toHome = (
      <Button type="primary" onClick={() => onGo('')}>
        {text('files.toHome')}
      </Button>
    );
    return <EmptyState drawing="map" title={text('files.gone.title')} words={text('files.gone.text')} action={toHome} />;
  }
  if (error) return <ErrorState error={error} onRetry={onRetry} isRetrying={isLoading} />;
  return <Skeleton active title={{ width: '40%' }} paragraph={{ rows: 6 }} />;
}
