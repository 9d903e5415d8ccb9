import { BulbOutlined } from '@ant-design/icons';
import type { ReactNode } from 'react';
import { useText } from '@/hooks/useText';
import type { LabRun } from '@/services/labSession';
import { formatBytes } from '@/utils/formatBytes';
import { formatNumber } from '@/utils/formatNumber';
import { formatDuration } from '@/utils/formatTime';
import styles from './index.less';

interface RunAdviceProps {
  advice: NonNullable<LabRun['advice']>;
  /** What applies it. */
  action?: ReactNode;
}

/** What a run used says that another size fits better, with what it is said by. */
export function RunAdvice({ advice, action }: RunAdviceProps) {
  const text = useText();
  const { kind, name, dcuPerHour, evidence } = advice;
  return (
    <div className={styles.advice}>
      <BulbOutlined aria-hidden />
      <p>
        <b>{text(`run.advice.${kind}`, { name, rate: formatNumber(dcuPerHour) })}</b>{' '}
        <span>
          {text('run.advice.evidence', {
            cpu: formatNumber(Math.round(evidence.cpuP95Percent)),
            memory: formatBytes(evidence.memoryPeakBytes),
            duration: formatDuration(evidence.minutes * 60_000),
          })}
        </span>
      </p>
      {action}
    </div>
  );
}
