import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import LabCard from '@/components/LabCard';
import type { LabAction } from '@/components/LabCard/labActions';
import type { Lab } from '@/components/LabCard/labFacts';
import { PagedList } from '@/components/PagedList';
import { ListSkeleton } from '@/components/PagedList/ListSkeleton';
import { useIsPhone } from '@/hooks/useIsPhone';
import { useText } from '@/hooks/useText';
import styles from '../index.less';
import LabTable from './LabTable';
import type { ListView } from './ListTools';
import type { LabList } from './useLabList';

interface ListBodyProps {
  page: LabList['page'];
  tools: ReactNode;
  view: ListView;
  lastsUntil: string | null;
  pendingOf: (workshopId: string) => LabAction | undefined;
  onAction: (lab: Lab, action: LabAction) => void;
  onNew: () => void;
}

/** The workshops with their tools, as cards or as a table. */
export default function ListBody({ page, tools, view, onNew, ...shared }: ListBodyProps) {
  const text = useText();
  const isTable = !useIsPhone() && view === 'table';
  const action = (
    <Button data-track="new-workshop" type="primary" icon={<PlusOutlined aria-hidden />} onClick={onNew}>
      {text('workshop.new')}
    </Button>
  );
  return (
    <PagedList
      page={page}
      filters={tools}
      skeleton={<ListSkeleton shape={isTable ? 'rows' : 'cards'} />}
      empty={{ drawing: 'bench', title: text('workshop.empty.title'), words: text('workshop.empty.text'), action }}
      totalWords={text('workshop.total', { total: page.total })}
    >
      {(labs) => (isTable ? <LabTable labs={labs} {...shared} /> : <Cards labs={labs} {...shared} />)}
    </PagedList>
  );
}

type RowsProps = Pick<ListBodyProps, 'lastsUntil' | 'pendingOf' | 'onAction'> & { labs: Lab[] };

function Cards({ labs, lastsUntil, pendingOf, onAction }: RowsProps) {
  return (
    <div className={styles.cards}>
      {labs.map((lab) => (
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
