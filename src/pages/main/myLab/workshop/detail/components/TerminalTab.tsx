import { Button } from 'antd';
import { lazy, Suspense, useMemo } from 'react';
import { actionWord, type LabAction } from '@/components/LabCard/labActions';
import type { Lab } from '@/components/LabCard/labFacts';
import { LineDrawing } from '@/components/LineDrawing';
import { LongWork } from '@/components/LongWork';
import StateBadge from '@/components/StateBadge';
import { useText } from '@/hooks/useText';
import { createTerminalTicket } from '@/services/workshop';
import { isCallError } from '@/utils/callError';
import { errors } from '../../../../../../../gateway/contract/errors';
import { limits } from '../../../../../../../gateway/contract/limits';
import styles from '../index.less';
import LastEnd from './LastEnd';

const Terminal = lazy(() => import('@/components/Terminal'));

interface TerminalTabProps {
  lab: Lab;
  isShown: boolean;
  /** A terminal is connected: the gateway answers. */
  onConnected: () => void;
  pendingAction: LabAction | undefined;
  onAction: (action: LabAction) => void;
  onAnswer: (lab: Lab) => void;
}

/** Asking again for the same terminal would be refused for the same reason. */
const finalCodes: readonly number[] = [
  errors.UNAUTHORIZED.code,
  errors.NOT_FOUND.code,
  errors.WORKSHOP_NOT_RUNNING.code,
  errors.TERMINAL_LIMIT.code,
  errors.ENGINE_ELSEWHERE.code,
];

const explained = {
  STOPPED: ['workshop.detail.stopped.title', 'workshop.detail.stopped.text'],
  STOPPING: ['workshop.detail.stopping.title', 'workshop.detail.stopping.text'],
  FAILED: ['workshop.detail.failed.title', 'workshop.detail.stopped.text'],
  LOST: ['workshop.detail.lost.title', 'workshop.detail.lost.text'],
  DELETING: ['workshop.detail.deleting.title', 'workshop.delete.text'],
  DELETED: ['workshop.detail.deleting.title', 'workshop.delete.text'],
} as const;

type NotRunningProps = Omit<TerminalTabProps, 'isShown' | 'onConnected'>;

/** The engine makes the lab ready: that goes on without the page. */
function Starting({ lab, pendingAction, onAction }: Omit<NotRunningProps, 'onAnswer'>) {
  const text = useText();
  const progress = lab.session?.progress;
  const cancel = (
    <Button data-track="stop-workshop" loading={pendingAction === 'stop'} onClick={() => onAction('stop')}>
      {text(actionWord('stop', lab.state))}
    </Button>
  );
  return (
    <LongWork
      mark={<StateBadge state={lab.state} />}
      title={text('workshop.detail.starting.title')}
      words={progress?.detail || lab.stateReason || text('workshop.detail.starting.text')}
      {...(progress?.percent == null ? {} : { done: progress.percent / 100 })}
      since={lab.session?.queuedAt ?? lab.stateChangedAt}
      actions={cancel}
    />
  );
}

/** Why there is no terminal now, and what brings it. */
function NotRunning({ lab, pendingAction, onAction, onAnswer }: NotRunningProps) {
  const text = useText();
  const { state } = lab;
  if (state === 'RUNNING') return null;
  if (state === 'QUEUED' || state === 'PULLING' || state === 'STARTING') {
    return <Starting lab={lab} pendingAction={pendingAction} onAction={onAction} />;
  }
  const [title, about] = explained[state];
  const canStart = state === 'STOPPED' || state === 'FAILED';
  return (
    <div className={styles.notRunning}>
      <LineDrawing name={canStart ? 'bench' : 'lamp'} />
      <StateBadge state={state} />
      <h2>{text(title)}</h2>
      <p>{lab.failure?.hint || lab.stateReason || text(about)}</p>
      <LastEnd lab={lab} onAnswer={onAnswer} />
      {canStart && (
        <Button
          data-track="start-workshop"
          type="primary"
          size="large"
          loading={pendingAction === 'start'}
          onClick={() => onAction('start')}
        >
          {text(actionWord('start', state))}
        </Button>
      )}
    </div>
  );
}

/** The terminals while the lab runs; otherwise why there are none. */
export default function TerminalTab({ lab, isShown, pendingAction, onAction, onAnswer, onConnected }: TerminalTabProps) {
  const text = useText();
  const { workshopId, session } = lab;
  const source = useMemo(
    () => ({
      getTicket: (terminalId?: string) => createTerminalTicket(workshopId, terminalId),
      isFinal: (error: Error) => isCallError(error) && finalCodes.includes(error.code),
    }),
    [workshopId],
  );
  if (lab.state !== 'RUNNING' || !session) {
    return isShown ? <NotRunning lab={lab} pendingAction={pendingAction} onAction={onAction} onAnswer={onAnswer} /> : null;
  }
  return (
    <Suspense fallback={<div className={styles.terminalLoading}>{text('workshop.terminal.loading')}</div>}>
      <Terminal
        key={session.sessionId}
        source={source}
        runningIds={session.terminalIds}
        limit={limits.terminalsPerWorkshop}
        isShown={isShown}
        onConnected={onConnected}
      />
    </Suspense>
  );
}
