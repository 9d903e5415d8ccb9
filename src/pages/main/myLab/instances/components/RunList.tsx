import { Link } from '@umijs/max';
import { useMemo } from 'react';
import { DcuAmount } from '@/components/DcuAmount';
import { labPath } from '@/components/LabCard/labFacts';
import { PagedList } from '@/components/PagedList';
import { ListSkeleton } from '@/components/PagedList/ListSkeleton';
import { type Column, RowTable } from '@/components/RowTable';
import { RunAdvice } from '@/components/RunAdvice';
import { exitWords } from '@/components/RunEnd/endWords';
import { MarkedWord } from '@/components/StateBadge';
import { stateMarks } from '@/components/StateBadge/stateMark';
import { useText } from '@/hooks/useText';
import type { LabRun } from '@/services/labSession';
import { formatDateTime, formatDuration, formatInstant } from '@/utils/formatTime';
import { billPath } from '@/utils/orderPaths';
import type { RunAction } from '../index';
import styles from './instances.less';
import { RunButtons } from './RunButtons';
import { RunTools } from './RunTools';
import type { Runs } from './useRuns';

const workshops = '/main/myLab/workshop';

type OnAction = (run: LabRun, action: RunAction) => void;

/** Which workshop it was, with what; a deleted one has only its name left. */
function Name({ run }: { run: LabRun }) {
  const text = useText();
  const name = <bdi>{run.workshopName}</bdi>;
  return (
    <div className={styles.name}>
      {run.isWorkshopThere ? <Link to={labPath(run.workshopId)}>{name}</Link> : <b>{name}</b>}
      <small>
        <bdi>{run.spec.name}</bdi> · <bdi>{run.image.name}</bdi>
        {run.isWorkshopThere ? '' : ` · ${text('instances.gone')}`}
      </small>
    </div>
  );
}

function At({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatInstant(at)}>
      {formatDateTime(at)}
    </time>
  );
}

/** How it ended, in words with what the exit code says; or that it goes on. */
function End({ run }: { run: LabRun }) {
  const text = useText();
  const { stopReason, exitCode, endedAt } = run;
  if (stopReason === null || endedAt === null) return <MarkedWord mark={stateMarks.RUNNING} word={text('instances.state.OPEN')} />;
  const exit = exitWords({ stopReason, exitCode }, text);
  return (
    <div className={styles.end}>
      <span>{text(`workshop.reason.${stopReason}`)}</span>
      {exit && <small>{exit}</small>}
      <small>
        <At at={endedAt} />
      </small>
    </div>
  );
}

function Cost({ run }: { run: LabRun }) {
  const text = useText();
  return (
    <Link
      to={`${billPath}?workshopId=${run.workshopId}&session=${run.sessionId}`}
      aria-label={text('instances.bill.of', { name: run.workshopName })}
    >
      <DcuAmount value={run.costDcu} />
    </Link>
  );
}

function useColumns(onAction: OnAction): Column<LabRun>[] {
  const text = useText();
  return useMemo(
    () => [
      {
        key: 'workshop',
        title: text('instances.workshop'),
        cell: (run) => (
          <>
            <Name run={run} />
            <Advice run={run} />
          </>
        ),
      },
      {
        key: 'started',
        title: text('instances.started'),
        width: 206,
        cell: ({ startedAt }) => (startedAt ? <At at={startedAt} /> : text('instances.neverRan')),
      },
      { key: 'end', title: text('instances.end'), width: 260, cell: (run) => <End run={run} /> },
      { key: 'time', title: text('instances.time'), width: 140, align: 'end', cell: ({ runningMs }) => formatDuration(runningMs) },
      { key: 'cost', title: text('instances.cost'), width: 120, align: 'end', cell: (run) => <Cost run={run} /> },
      {
        key: 'actions',
        title: text('workshop.actions'),
        width: 150,
        align: 'end',
        cell: (run) => <RunButtons run={run} onAction={(action) => onAction(run, action)} />,
      },
    ],
    [text, onAction],
  );
}

function Advice({ run }: { run: LabRun }) {
  const text = useText();
  if (!run.advice) return null;
  const way = run.isWorkshopThere && <Link to={labPath(run.workshopId)}>{text('instances.advice.go')}</Link>;
  return <RunAdvice advice={run.advice} action={way} />;
}

/** A run on a phone. */
function RunCard({ run, onAction }: { run: LabRun; onAction: OnAction }) {
  const text = useText();
  return (
    <article className={styles.card}>
      <Name run={run} />
      <Cost run={run} />
      <div className={styles.wide}>
        <End run={run} />
        <small>
          {run.startedAt ? <At at={run.startedAt} /> : text('instances.neverRan')}
          {run.startedAt && ` · ${formatDuration(run.runningMs)}`}
        </small>
      </div>
      <Advice run={run} />
      <div className={styles.wide}>
        <RunButtons run={run} onAction={(action) => onAction(run, action)} />
      </div>
    </article>
  );
}

export function RunList({ runs, onAction }: { runs: Runs; onAction: OnAction }) {
  const text = useText();
  const columns = useColumns(onAction);
  const { page } = runs;
  return (
    <PagedList
      isFramed
      page={page}
      filters={<RunTools runs={runs} />}
      skeleton={<ListSkeleton shape="rows" />}
      empty={{
        drawing: 'bench',
        title: text('instances.empty.title'),
        words: text('instances.empty'),
        action: <Link to={workshops}>{text('instances.empty.action')}</Link>,
      }}
      totalWords={text('instances.total', { total: page.total })}
    >
      {(rows) => (
        <RowTable
          label={text('menu.myLab.instances')}
          rows={rows}
          idOf={({ sessionId }) => sessionId}
          columns={columns}
          minWidth={1040}
          card={(run) => <RunCard run={run} onAction={onAction} />}
        />
      )}
    </PagedList>
  );
}
