import { useState } from 'react';
import { PageHeading } from '@/components/PageHeading';
import { withWords } from '@/components/withWords';
import { useText } from '@/hooks/useText';
import runEn from '@/locales/en-US/run';
import eventsEn from '@/locales/en-US/workshopEvents';
import runZh from '@/locales/zh-CN/run';
import eventsZh from '@/locales/zh-CN/workshopEvents';
import type { LabRun } from '@/services/labSession';
import { CopyDialog } from './components/CopyDialog';
import { DeleteRunDialog } from './components/DeleteRunDialog';
import { OutputDrawer } from './components/OutputDrawer';
import { RunList } from './components/RunList';
import { useRuns } from './components/useRuns';

export type RunAction = 'output' | 'copy' | 'delete';

/** Every run of the member's workshops: what it cost, how it ended, what it printed. */
function InstancesPage() {
  const text = useText();
  const runs = useRuns();
  const [asked, setAsked] = useState<{ run: LabRun; action: RunAction; isOpen: boolean } | null>(null);
  // What was asked stays readable while its dialog closes.
  const close = () => setAsked((question) => question && { ...question, isOpen: false });
  const propsOf = (action: RunAction) => ({
    run: asked?.action === action ? asked.run : null,
    isOpen: asked?.action === action && asked.isOpen,
    onClose: close,
  });
  return (
    <>
      <PageHeading title={text('menu.myLab.instances')} subtitle={text('instances.subtitle')} />
      <RunList runs={runs} onAction={(run, action) => setAsked({ run, action, isOpen: true })} />
      <OutputDrawer {...propsOf('output')} />
      <CopyDialog {...propsOf('copy')} onDone={runs.page.refresh} />
      <DeleteRunDialog {...propsOf('delete')} onDone={runs.refresh} />
    </>
  );
}

export default withWords(InstancesPage, { 'en-US': { ...eventsEn, ...runEn }, 'zh-CN': { ...eventsZh, ...runZh } });
