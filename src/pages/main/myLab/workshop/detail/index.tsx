import { Link, Navigate, useModel, useNavigate, useParams } from '@umijs/max';
import { useRequest, useUpdateEffect } from 'ahooks';
import { Skeleton, Tabs } from 'antd';
import type { ReactNode } from 'react';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import type { LabAction } from '@/components/LabCard/labActions';
import type { Lab } from '@/components/LabCard/labFacts';
import { StaleNote } from '@/components/StaleNote';
import { withWords } from '@/components/withWords';
import { useDocumentTitle } from '@/hooks/useDocumentTitle';
import { useUrlQuery } from '@/hooks/usePage';
import { usePollWhile } from '@/hooks/usePollWhile';
import { useText } from '@/hooks/useText';
import runEn from '@/locales/en-US/run';
import eventsEn from '@/locales/en-US/workshopEvents';
import lifeEn from '@/locales/en-US/workshopLife';
import setupEn from '@/locales/en-US/workshopSetup';
import runZh from '@/locales/zh-CN/run';
import eventsZh from '@/locales/zh-CN/workshopEvents';
import lifeZh from '@/locales/zh-CN/workshopLife';
import setupZh from '@/locales/zh-CN/workshopSetup';
import { getWorkshop } from '@/services/workshop';
import { isCallError } from '@/utils/callError';
import { errors } from '../../../../../../gateway/contract/errors';
import { inTransition } from '../../../../../../gateway/contract/workshopStates';
import { useLabActions } from '../components/useLabActions';
import CostTab from './components/CostTab';
import DetailHeader from './components/DetailHeader';
import EventsTab from './components/EventsTab';
import MetricsTab from './components/MetricsTab';
import OutputTab from './components/OutputTab';
import SettingsTab from './components/SettingsTab';
import TerminalTab from './components/TerminalTab';
import { Files } from './files/Files';
import styles from './index.less';

const tabs = ['terminal', 'output', 'files', 'metrics', 'events', 'cost', 'settings'] as const;
const workshopsPath = '/main/myLab/workshop';

function useLab(workshopId: string) {
  const request = useRequest(() => getWorkshop(workshopId), { refreshDeps: [workshopId], onError: () => undefined });
  usePollWhile(request, ({ state }) => inTransition.includes(state));
  const { data, error, loading, refresh, mutate } = request;
  return {
    // A link from one workshop to another must not show the former one's figures.
    lab: data?.workshopId === workshopId ? data : undefined,
    error,
    isLoading: loading,
    refresh,
    showAnswer: (answer: Lab) => {
      mutate(answer);
      refresh();
    },
  };
}

/** One workshop: its terminals, figures, history, cost and settings. */
function WorkshopDetailPage() {
  const { workshopId = '' } = useParams();
  const text = useText();
  const { lab, error, isLoading, refresh, showAnswer } = useLab(workshopId);
  const isMissing = isCallError(error, errors.NOT_FOUND.code);
  // What was being deleted and is gone has arrived where it was going.
  if (lab?.state === 'DELETED' || (isMissing && lab?.state === 'DELETING')) return <Navigate to={workshopsPath} replace />;
  if (isMissing) {
    return (
      <EmptyState
        drawing="map"
        title={text('workshop.notFound.title')}
        words={text('workshop.notFound.text')}
        action={<Link to={workshopsPath}>{text('workshop.back')}</Link>}
      />
    );
  }
  if (!lab && error) return <ErrorState error={error} onRetry={refresh} isRetrying={isLoading} />;
  if (!lab) return <Skeleton active title={{ width: '30%' }} paragraph={{ rows: 8 }} />;
  return (
    <>
      {error && <StaleNote error={error} isRetrying={isLoading} onRetry={refresh} />}
      <Detail key={lab.workshopId} lab={lab} isOutOfDate={error !== undefined} onAnswer={showAnswer} onRefused={refresh} />
    </>
  );
}

interface DetailProps {
  lab: Lab;
  /** The last look at it failed. */
  isOutOfDate: boolean;
  onAnswer: (lab: Lab) => void;
  onRefused: () => void;
}

function Detail({ lab, isOutOfDate, onAnswer, onRefused }: DetailProps) {
  const text = useText();
  const navigate = useNavigate();
  const { search, writeQuery } = useUrlQuery();
  const asked = new URLSearchParams(search).get('tab');
  const active = tabs.find((tab) => tab === asked) ?? 'terminal';
  const { act, pendingOf, dialogs } = useLabActions({
    onAnswer,
    onRefused,
    onDeleted: () => navigate(workshopsPath, { replace: true }),
  });
  const pendingAction = pendingOf(lab.workshopId);
  const { refresh: refreshBalance } = useModel('balance');
  // What all labs burn changes when this one begins or ends.
  useUpdateEffect(refreshBalance, [lab.state]);

  const showTab = (tab: string) => writeQuery({ tab: tab === 'terminal' ? null : tab });
  const handleAction = (action: LabAction) => {
    if (action === 'openTerminal') showTab('terminal');
    else if (action === 'change') showTab('settings');
    else act(lab, action);
  };
  useDocumentTitle(lab.name);
  const isTerminalShown = active === 'terminal';
  const panes: Record<(typeof tabs)[number], ReactNode> = {
    terminal: (
      <TerminalTab
        lab={lab}
        isShown={isTerminalShown}
        pendingAction={pendingAction}
        onAction={handleAction}
        onAnswer={onAnswer}
        onConnected={() => isOutOfDate && onRefused()}
      />
    ),
    files: <Files workshopId={lab.workshopId} />,
    output: <OutputTab lab={lab} />,
    metrics: <MetricsTab lab={lab} />,
    events: <EventsTab lab={lab} />,
    cost: <CostTab lab={lab} />,
    settings: <SettingsTab lab={lab} onAnswer={onAnswer} onDelete={() => act(lab, 'delete')} />,
  };
  return (
    <div className={styles.page}>
      <DetailHeader lab={lab} isTerminalShown={isTerminalShown} pendingAction={pendingAction} onAction={handleAction} />
      <Tabs
        activeKey={active}
        onChange={showTab}
        items={tabs.map((tab) => ({
          key: tab,
          label: text(`workshop.tab.${tab}`),
          children: panes[tab],
          // Terminals stay connected behind the other tabs; the rest asks anew when it is looked at.
          forceRender: tab === 'terminal',
          destroyOnHidden: tab !== 'terminal',
        }))}
      />
      {dialogs}
    </div>
  );
}

export default withWords(WorkshopDetailPage, {
  'en-US': { ...eventsEn, ...lifeEn, ...runEn, ...setupEn },
  'zh-CN': { ...eventsZh, ...lifeZh, ...runZh, ...setupZh },
});
