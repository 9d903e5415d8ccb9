import { Link } from '@umijs/max';
import { Select } from 'antd';
import { useMemo } from 'react';
import { PagedList } from '@/components/PagedList';
import { ListSkeleton } from '@/components/PagedList/ListSkeleton';
import { type Column, RowTable } from '@/components/RowTable';
import { useText } from '@/hooks/useText';
import type { PointsChange } from '@/services/points';
import { formatNumber, formatSigned } from '@/utils/formatNumber';
import { formatDateTime, formatInstant } from '@/utils/formatTime';
import { orderPath } from '@/utils/orderPaths';
import styles from './PointsChanges.less';
import { changeKinds, type PointsChangeKind, type usePointsChanges } from './usePointsChanges';

/** Every change of the points, newest first. */
export function PointsChanges({ page }: { page: ReturnType<typeof usePointsChanges> }) {
  const text = useText();
  const columns = useColumns();
  const filter = (
    <Select
      aria-label={text('points.change.kind')}
      value={page.filters.kind ?? ''}
      onChange={(kind: PointsChangeKind | '') => page.setFilters({ kind: kind || undefined })}
      popupMatchSelectWidth={false}
      options={[
        { value: '' as const, label: text('points.change.kind.all') },
        ...changeKinds.map((kind) => ({ value: kind, label: text(`points.change.kind.${kind}`) })),
      ]}
    />
  );
  return (
    <PagedList
      isFramed
      page={page}
      heading={text('points.changes')}
      filters={filter}
      skeleton={<ListSkeleton shape="rows" />}
      empty={{ drawing: 'ledger', words: text('points.change.empty') }}
      totalWords={text('points.change.total', { total: page.total })}
    >
      {(changes) => (
        <RowTable
          label={text('points.changes')}
          rows={changes}
          idOf={({ changeId }) => changeId}
          columns={columns}
          minWidth={680}
        />
      )}
    </PagedList>
  );
}

function useColumns(): Column<PointsChange>[] {
  const text = useText();
  return useMemo(
    () => [
      { key: 'what', title: text('points.change.what'), cell: (change) => <Subject change={change} /> },
      { key: 'kind', title: text('points.change.kind'), width: 160, cell: ({ kind }) => text(`points.change.kind.${kind}`) },
      {
        key: 'at',
        title: text('points.change.at'),
        width: 200,
        cell: ({ at }) => (
          <time dateTime={at} title={formatInstant(at)}>
            {formatDateTime(at)}
          </time>
        ),
      },
      {
        key: 'points',
        title: text('points.change.points'),
        width: 120,
        align: 'end',
        cell: ({ points }) => <bdi className={styles.figure}>{formatSigned(points)}</bdi>,
      },
      {
        key: 'balance',
        title: text('points.change.balance'),
        width: 140,
        align: 'end',
        cell: ({ balanceAfter }) => <bdi className={styles.figure}>{formatNumber(balanceAfter)}</bdi>,
      },
    ],
    [text],
  );
}

function Subject({ change: { subject, kind, orderId } }: { change: PointsChange }) {
  const text = useText();
  const words = <bdi>{subject || text(`points.change.kind.${kind}`)}</bdi>;
  return orderId ? <Link to={orderPath(orderId)}>{words}</Link> : <b>{words}</b>;
}
