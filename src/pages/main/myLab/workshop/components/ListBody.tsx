import { PlusOutlined } from '@ant-design/icons';
import { Button, Card, Skeleton } from 'antd';
import { lazy, Suspense } from 'react';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import LabCard from '@/components/LabCard';
import type { LabAction } from '@/components/LabCard/labActions';
import type { Lab } from '@/components/LabCard/labFacts';
import { useIsPhone } from '@/hooks/useIsPhone';
import { useText } from '@/hooks/useText';
import styles from '../index.less';
import type { ListView } from './ListTools';
import StaleNote from './StaleNote';
import type { LabList } from './useLabList';

/** A table is heavy and the cards are what most members see. */
const LabTable = lazy(() => import('./LabTable'));
/** One page of workshops needs no way to the next. */
const Pages = lazy(() => import('./Pages'));

interface ListBodyProps {
  page: LabList['page'];
  view: ListView;
  lastsUntil: string | null;
  pendingOf: (workshopId: string) => LabAction | undefined;
  onAction: (lab: Lab, action: LabAction) => void;
  onNew: () => void;
}

function Loading() {
  const text = useText();
  return (
    <div className={styles.cards} role="status" aria-label={text('workshop.loading')}>
      {['first', 'second', 'third'].map((key) => (
        <Card key={key}>
          <Skeleton active title={{ width: '40%' }} paragraph={{ rows: 3, width: ['60%', '90%', '30%'] }} />
        </Card>
      ))}
    </div>
  );
}

function Nothing({ page, onNew }: Pick<ListBodyProps, 'page' | 'onNew'>) {
  const text = useText();
  if (page.isFiltered) {
    return (
      <EmptyState
        drawing="shelf"
        title={text('workshop.empty.filtered.title')}
        words={text('workshop.empty.filtered.text')}
        action={<Button onClick={page.clearFilters}>{text('workshop.filter.clear')}</Button>}
      />
    );
  }
  return (
    <EmptyState
      drawing="bench"
      title={text('workshop.empty.title')}
      words={text('workshop.empty.text')}
      action={
        <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={onNew}>
          {text('workshop.new')}
        </Button>
      }
    />
  );
}

function Rows({ page, view, lastsUntil, pendingOf, onAction }: ListBodyProps) {
  const isPhone = useIsPhone();
  if (view === 'table' && !isPhone) {
    return (
      <Suspense fallback={<Loading />}>
        <LabTable
          labs={page.rows}
          lastsUntil={lastsUntil}
          isReloading={page.loading && page.isStale}
          pendingOf={pendingOf}
          onAction={onAction}
        />
      </Suspense>
    );
  }
  return (
    <div className={styles.cards} aria-busy={page.isStale} data-stale={page.isStale}>
      {page.rows.map((lab) => (
        <LabCard
          key={lab.workshopId}
          lab={lab}
          lastsUntil={lastsUntil}
          pendingAction={pendingOf(lab.workshopId)}
          onAction={(action) => onAction(lab, action)}
        />
      ))}
    </div>
  );
}

/** The rows in whatever state they are: loading, failed, none, or there. */
export default function ListBody(props: ListBodyProps) {
  const { page, onNew } = props;
  if (page.error && (page.data === undefined || page.isStale)) {
    return <ErrorState error={page.error} onRetry={page.refresh} isRetrying={page.loading} />;
  }
  if (page.data === undefined) return <Loading />;
  if (page.total === 0 && !page.isStale) return <Nothing page={page} onNew={onNew} />;
  return (
    <>
      {page.error && <StaleNote error={page.error} onRetry={page.refresh} />}
      <Rows {...props} />
      {page.total > page.pageSize && (
        <Suspense>
          <Pages page={page} />
        </Suspense>
      )}
    </>
  );
}
