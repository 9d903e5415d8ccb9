import { ConfirmDialog } from '@/components/ConfirmDialog';
import type { Lab } from '@/components/LabCard/labFacts';
import { useLiveFigures } from '@/components/LabCard/useLiveFigures';
import { useText } from '@/hooks/useText';
import { formatNumber } from '@/utils/formatNumber';
import { formatDuration } from '@/utils/formatTime';
import type { LabQuestionProps } from './LabDialogs';

function CostSoFar({ lab }: { lab: Lab }) {
  const text = useText();
  const live = useLiveFigures(lab);
  return <p>{text('workshop.stop.cost', { cost: formatNumber(live.costDcu), duration: formatDuration(live.runningMs) })}</p>;
}

/** Asks before a running lab is stopped, and says what ends and what stays. */
export default function StopDialog({ lab, ...question }: LabQuestionProps) {
  const text = useText();
  return (
    <ConfirmDialog
      {...question}
      title={text('workshop.stop.title', { name: lab.name })}
      confirmWord={text('workshop.action.stop')}
      keepWord={text('workshop.stop.keep')}
    >
      <p>{text('workshop.stop.text')}</p>
      {lab.state === 'LOST' && <p>{text('workshop.stop.lost')}</p>}
      {lab.session && <CostSoFar lab={lab} />}
    </ConfirmDialog>
  );
}
