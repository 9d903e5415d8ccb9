import { ArrowLeftOutlined } from '@ant-design/icons';
import { Link, useModel } from '@umijs/max';
import { lazy, Suspense } from 'react';
import LabButtons from '@/components/LabCard/LabButtons';
import LabLine from '@/components/LabCard/LabLine';
import LabProgress from '@/components/LabCard/LabProgress';
import type { LabAction } from '@/components/LabCard/labActions';
import { isStopNear, type Lab, sizeWords } from '@/components/LabCard/labFacts';
import StateBadge from '@/components/StateBadge';
import { useText } from '@/hooks/useText';
import styles from '../index.less';

const LabWarning = lazy(() => import('@/components/LabCard/LabWarning'));

interface DetailHeaderProps {
  lab: Lab;
  isTerminalShown: boolean;
  pendingAction: LabAction | undefined;
  onAction: (action: LabAction) => void;
}

/** Which workshop this is, what it does and costs now, and what can be done with it. */
export default function DetailHeader({ lab, isTerminalShown, pendingAction, onAction }: DetailHeaderProps) {
  const text = useText();
  const { overview } = useModel('balance');
  return (
    <header className={styles.header}>
      <div className={styles.headerWords}>
        <Link to="/main/myLab/workshop" className={styles.back}>
          <ArrowLeftOutlined aria-hidden />
          {text('workshop.back')}
        </Link>
        <div className={styles.name}>
          <h1>
            <bdi>{lab.name}</bdi>
          </h1>
          <StateBadge state={lab.state} />
        </div>
        <p className={styles.size}>{sizeWords(lab, text)}</p>
        {!isTerminalShown && <LabProgress lab={lab} />}
        <LabLine lab={lab} lastsUntil={overview?.lastsUntil ?? null} onAction={onAction} />
        {isStopNear(lab) && (
          <Suspense>
            <LabWarning lab={lab} pendingAction={pendingAction} onAction={onAction} />
          </Suspense>
        )}
      </div>
      <LabButtons lab={lab} isTerminalOpen={isTerminalShown} pendingAction={pendingAction} onAction={onAction} />
    </header>
  );
}
