import { Skeleton } from 'antd';
import { lazy, Suspense } from 'react';

const FilesPane = lazy(() => import('./index'));

/** The files of a workshop. Nothing of them is loaded before they are shown. */
export function Files({ workshopId }: { workshopId: string }) {
  return (
    <Suspense fallback={<Skeleton active title={{ width: '40%' }} paragraph={{ rows: 6 }} />}>
      <FilesPane workshopId={workshopId} />
    </Suspense>
  );
}
