import { Link } from '@umijs/max';
import { lazy, Suspense } from 'react';
import LabButtons from '@/components/LabCard/LabButtons';
import LabLine from '@/components/LabCard/LabLine';
import LabProgress from '@/components/LabCard/LabProgress';
import type { LabAction } from '@/components/LabCard/labActions';
import { isStopNear, type Lab, labPath, sizeWords } from '@/components/LabCard/labFacts';
import { type Column, RowTable } from '@/components/RowTable';
import Sparkline from '@/components/Sparkline';
import StateBadge from '@/components/StateBadge';
import { useText } from '@/hooks/useText';
import type { Text } from '@/utils/words';
import styles from '../index.less';

const LabWarning = lazy(() => import('@/components/LabCard/LabWarning'));

interface LabTableProps {
  labs: readonly Lab[];
  lastsUntil: string | null;
  pendingOf: (workshopId: string) => LabAction | undefined;
  onAction: (lab: Lab, action: LabAction) => void;
}

function trendLabel(lab: Lab, text: Text): string {
  const now = lab.cpuTrend.at(-1);
  return now === undefined ? text('workshop.card.cpu.none') : text('workshop.card.cpu', { now: Math.round(now) });
}

function columnsOf({ lastsUntil, pendingOf, onAction }: LabTableProps, text: Text): Column<Lab>[] {
  return [
    {
      key: 'name',
      title: text('workshop.create.name'),
      width: 240,
      cell: (lab) => (
        <div className={styles.nameCell}>
          <Link to={labPath(lab.workshopId)}>
            <bdi>{lab.name}</bdi>
          </Link>
          <span>{sizeWords(lab, text)}</span>
        </div>
      ),
    },
    { key: 'state', title: text('workshop.filter.state'), width: 150, cell: ({ state }) => <StateBadge state={state} /> },
    {
      key: 'cpu',
      title: text('workshop.metrics.cpu'),
      width: 128,
      cell: (lab) => lab.session && <Sparkline values={lab.cpuTrend} label={trendLabel(lab, text)} />,
    },
    {
      key: 'line',
      title: text('workshop.tab.cost'),
      cell: (lab) => (
        <LineCell
          lab={lab}
          lastsUntil={lastsUntil}
          pendingAction={pendingOf(lab.workshopId)}
          onAction={(action) => onAction(lab, action)}
        />
      ),
    },
    {
      key: 'actions',
      title: text('workshop.actions'),
      width: 190,
      cell: (lab) => (
        <LabButtons lab={lab} size="small" pendingAction={pendingOf(lab.workshopId)} onAction={(action) => onAction(lab, action)} />
      ),
    },
  ];
}

function LineCell(props: Parameters<typeof LabLine>[0] & { pendingAction: LabAction | undefined }) {
  return (
    <>
      <LabProgress lab={props.lab} />
      <LabLine {...props} />
      {isStopNear(props.lab) && (
        <Suspense>
          <LabWarning {...props} />
        </Suspense>
      )}
    </>
  );
}

/** The same labs, one a row. */
export default function LabTable(props: LabTableProps) {
  const text = useText();
  return (
    <div className={styles.table}>
      <RowTable
        label={text('workshop.title')}
        rows={props.labs}
        idOf={({ workshopId }) => workshopId}
        columns={columnsOf(props, text)}
        minWidth={980}
      />
    </div>
  );
}
