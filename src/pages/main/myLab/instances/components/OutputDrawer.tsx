import { Drawer } from 'antd';
import { RunOutput } from '@/components/RunOutput';
import { useText } from '@/hooks/useText';
import type { LabRun } from '@/services/labSession';
import { currentDirection } from '@/utils/language';

export interface RunQuestion {
  run: LabRun | null;
  isOpen: boolean;
  onClose: () => void;
}

/** What a run printed, beside the list. */
export function OutputDrawer({ run, isOpen, onClose }: RunQuestion) {
  const text = useText();
  return (
    <Drawer
      open={isOpen}
      placement={currentDirection() === 'rtl' ? 'left' : 'right'}
      width={720}
      title={text('instances.output.of', { name: run?.workshopName ?? '' })}
      closable={{ 'aria-label': text('workshop.close') }}
      onClose={onClose}
      destroyOnHidden
    >
      {run && <RunOutput workshopId={run.workshopId} sessionId={run.sessionId} />}
    </Drawer>
  );
}
