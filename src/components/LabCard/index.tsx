import { Link } from '@umijs/max';
import { Card } from 'antd';
import { lazy, Suspense } from 'react';
import { useText } from '@/hooks/useText';
import Sparkline from '../Sparkline';
import StateBadge from '../StateBadge';
import styles from './index.less';
import LabButtons from './LabButtons';
import LabLine from './LabLine';
import LabProgress from './LabProgress';
import type { LabAction } from './labActions';
import { isStopNear, type Lab, labPath, sizeWords } from './labFacts';

/** Most labs are far from their end. */
const LabWarning = lazy(() => import('./LabWarning'));

export interface LabCardProps {
  lab: Lab;
  /** When the balance is used up at the present rate of all labs; null when nothing runs. */
  lastsUntil: string | null;
  pendingAction?: LabAction | undefined;
  onAction: (action: LabAction) => void;
}

/** A lab at a glance: what it does, what it costs, and the one thing to do next. */
export default function LabCard({ lab, lastsUntil, pendingAction, onAction }: LabCardProps) {
  const text = useText();
  const now = lab.cpuTrend.at(-1);
  const trendLabel = now === undefined ? text('workshop.card.cpu.none') : text('workshop.card.cpu', { now: Math.round(now) });
  const problem = lab.failure?.hint || lab.stateReason;
  return (
    <Card className={styles.card} styles={{ body: { padding: 0 } }}>
      <article aria-labelledby={`lab-${lab.workshopId}`} className={styles.inside} data-state={lab.state}>
        <div className={styles.top}>
          <StateBadge state={lab.state} />
          {lab.session && <Sparkline values={lab.cpuTrend} label={trendLabel} />}
        </div>
        <h2 id={`lab-${lab.workshopId}`} className={styles.name}>
          <Link to={labPath(lab.workshopId)}>
            <bdi>{lab.name}</bdi>
          </Link>
        </h2>
        <p className={styles.size}>{sizeWords(lab, text)}</p>
        {problem && (
          <p className={lab.failure ? styles.failure : styles.reason}>
            <bdi>{problem}</bdi>
          </p>
        )}
        <LabProgress lab={lab} />
        <LabLine lab={lab} lastsUntil={lastsUntil} onAction={onAction} />
        {isStopNear(lab) && (
          <Suspense>
            <LabWarning lab={lab} pendingAction={pendingAction} onAction={onAction} />
          </Suspense>
        )}
        <LabButtons lab={lab} pendingAction={pendingAction} onAction={onAction} />
      </article>
    </Card>
  );
}
