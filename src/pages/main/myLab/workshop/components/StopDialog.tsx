import { Modal } from 'antd';
import type { Lab } from '@/components/LabCard/labFacts';
import { useLiveFigures } from '@/components/LabCard/useLiveFigures';
import { useText } from '@/hooks/useText';
import { formatNumber } from '@/utils/formatNumber';
import { formatDuration } from '@/utils/formatTime';

export interface ConfirmProps {
  lab: Lab | null;
  isOpen: boolean;
  /** The answer is awaited. */
  isBusy: boolean;
  onConfirm: (lab: Lab) => void;
  onCancel: () => void;
}

function CostSoFar({ lab }: { lab: Lab }) {
  const text = useText();
  const live = useLiveFigures(lab);
  return <p>{text('workshop.stop.cost', { cost: formatNumber(live.costDcu), duration: formatDuration(live.runningMs) })}</p>;
}

/** Asks before a running lab is stopped, and says what ends and what stays. */
export default function StopDialog({ lab, isOpen, isBusy, onConfirm, onCancel }: ConfirmProps) {
  const text = useText();
  return (
    <Modal
      centered
      open={isOpen}
      title={text('workshop.stop.title', { name: lab?.name ?? '' })}
      okText={text('workshop.action.stop')}
      cancelText={text('workshop.stop.keep')}
      okButtonProps={{ danger: true }}
      confirmLoading={isBusy}
      onOk={() => lab && onConfirm(lab)}
      onCancel={onCancel}
    >
      <p>{text('workshop.stop.text')}</p>
      {lab?.state === 'LOST' && <p>{text('workshop.stop.lost')}</p>}
      {lab?.session && <CostSoFar lab={lab} />}
    </Modal>
  );
}
