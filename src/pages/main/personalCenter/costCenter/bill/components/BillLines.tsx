import { Link } from '@umijs/max';
import { Button } from 'antd';
import { useMemo } from 'react';
import { DcuAmount } from '@/components/DcuAmount';
import { PagedList } from '@/components/PagedList';
import { ListSkeleton } from '@/components/PagedList/ListSkeleton';
import { type Column, RowTable } from '@/components/RowTable';
import { useText } from '@/hooks/useText';
import type { BillLine } from '@/services/bill';
import { formatDay, formatHours } from '@/utils/billingDays';
import styles from './bill.less';
import { ExportLink } from './ExportLink';
import type { Bill } from './useBill';

const workshops = '/main/myLab/workshop';

function WorkshopName({ line: { workshopId, workshopName } }: { line: BillLine }) {
  return (
    <Link to={`${workshops}/detail/${workshopId}`}>
      <bdi>{workshopName}</bdi>
    </Link>
  );
}

function Opener({ line, onOpen }: { line: BillLine; onOpen: (sessionId: string) => void }) {
  const text = useText();
  return (
    <Button
      type="link"
      size="small"
      aria-haspopup="dialog"
      aria-label={text('bill.open.of', { name: line.workshopName, day: formatDay(line.day) })}
      onClick={() => onOpen(line.sessionId)}
    >
      {text('bill.open', { count: line.segments })}
    </Button>
  );
}

function useLineColumns(onOpen: (sessionId: string) => void): Column<BillLine>[] {
  const text = useText();
  return useMemo(
    () => [
      { key: 'day', title: text('bill.line.day'), width: 140, cell: ({ day }) => formatDay(day) },
      { key: 'workshop', title: text('bill.line.workshop'), cell: (line) => <WorkshopName line={line} /> },
      { key: 'spec', title: text('bill.line.spec'), cell: ({ specName }) => <bdi>{specName}</bdi> },
      { key: 'time', title: text('bill.time'), width: 112, align: 'end', cell: ({ observedMs }) => formatHours(observedMs) },
      { key: 'dcu', title: 'DCU', width: 112, align: 'end', cell: ({ dcu }) => <DcuAmount value={dcu} isBare /> },
      {
        key: 'open',
        title: text('bill.line.how'),
        width: 160,
        align: 'end',
        cell: (line) => <Opener line={line} onOpen={onOpen} />,
      },
    ],
    [text, onOpen],
  );
}

/** A line on a phone. */
function LineCard({ line, onOpen }: { line: BillLine; onOpen: (sessionId: string) => void }) {
  return (
    <div className={styles.lineCard}>
      <WorkshopName line={line} />
      <b>
        <DcuAmount value={line.dcu} />
      </b>
      <small>
        {formatDay(line.day)} · <bdi>{line.specName}</bdi> · {formatHours(line.observedMs)}
      </small>
      <Opener line={line} onOpen={onOpen} />
    </div>
  );
}

/** Line by line what each run cost on each day; a line opens to the segments it was charged in. */
export function BillLines({ bill, onOpen }: { bill: Bill; onOpen: (sessionId: string) => void }) {
  const text = useText();
  const { page, days, workshopId } = bill;
  const columns = useLineColumns(onOpen);
  const name = workshopId && page.rows.find((line) => line.workshopId === workshopId)?.workshopName;
  const tools = (
    <span className={styles.tools}>
      {workshopId && (
        <Button type="text" onClick={page.clearFilters}>
          {name ? text('bill.only', { name }) : text('list.clear')}
        </Button>
      )}
      <ExportLink query={{ ...days, ...(workshopId ? { workshopId } : {}) }} />
    </span>
  );
  return (
    <PagedList
      isFramed
      page={page}
      heading={text('bill.lines')}
      filters={tools}
      skeleton={<ListSkeleton shape="rows" />}
      empty={{ drawing: 'ledger', words: text('bill.empty'), action: <Link to={workshops}>{text('bill.empty.action')}</Link> }}
      totalWords={text('bill.lines.total', { total: page.total })}
    >
      {(lines) => (
        <RowTable
          label={text('bill.lines')}
          rows={lines}
          idOf={({ day, sessionId }) => `${day} ${sessionId}`}
          columns={columns}
          minWidth={820}
          card={(line) => <LineCard line={line} onOpen={onOpen} />}
        />
      )}
    </PagedList>
  );
}
