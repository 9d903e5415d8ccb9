import { PlusOutlined } from '@ant-design/icons';
import { useModel } from '@umijs/max';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { PageHeading } from '@/components/PageHeading';
import { useUrlQuery } from '@/hooks/usePage';
import { useText } from '@/hooks/useText';
import ListBody from './components/ListBody';
import ListSummary from './components/ListSummary';
import ListTools from './components/ListTools';
import { useLabActions } from './components/useLabActions';
import { useLabList } from './components/useLabList';
import styles from './index.less';

const CreateDrawer = lazy(() => import('./components/CreateDrawer'));
const StopAllDialog = lazy(() => import('./components/StopAllDialog'));

/** The member's workshops: what runs, what it costs, and the way to the next one. */
export default function WorkshopPage() {
  const text = useText();
  const list = useLabList();
  const { page, showAnswer } = list;
  const { search, writeQuery } = useUrlQuery();
  const { overview, refresh: refreshBalance } = useModel('balance');
  const { act, pendingOf, dialogs } = useLabActions({ onAnswer: showAnswer, onRefused: page.refresh });
  const params = new URLSearchParams(search);
  const view = params.get('view') === 'table' ? 'table' : 'cards';
  const isCreating = params.has('create');
  const [stopAll, setStopAll] = useState<'open' | 'closed' | null>(null);
  const isAnyOpen = page.rows.some(({ session }) => session) || (overview?.runningLabs ?? 0) > 0;
  const handleNew = () => writeQuery({ create: 1 }, true);

  return (
    <div className={styles.page}>
      <PageHeading
        title={text('workshop.title')}
        subtitle={<ListSummary />}
        actions={
          !page.isBlank && (
            <>
              {isAnyOpen && <Button onClick={() => setStopAll('open')}>{text('workshop.stopAll')}</Button>}
              <Button data-track="new-workshop" type="primary" icon={<PlusOutlined aria-hidden />} onClick={handleNew}>
                {text('workshop.new')}
              </Button>
            </>
          )
        }
      />
      <ListBody
        page={page}
        tools={<ListTools list={list} view={view} onView={(next) => writeQuery({ view: next === 'table' ? next : null })} />}
        view={view}
        lastsUntil={overview?.lastsUntil ?? null}
        pendingOf={pendingOf}
        onAction={act}
        onNew={handleNew}
      />
      {dialogs}
      {stopAll && (
        <Suspense>
          <StopAllDialog
            isOpen={stopAll === 'open'}
            onCancel={() => setStopAll('closed')}
            onDone={() => {
              setStopAll('closed');
              page.refresh();
              refreshBalance();
            }}
          />
        </Suspense>
      )}
      {isCreating && !page.isFirstLoading && (
        <Suspense>
          <CreateDrawer
            nextNumber={page.total + 1}
            imageId={params.get('image')}
            takenNames={page.rows.map(({ name }) => name)}
            onClose={() => writeQuery({ create: null, image: null })}
            onCreated={() => {
              writeQuery({ create: null, image: null });
              page.refresh();
            }}
          />
        </Suspense>
      )}
    </div>
  );
}
