import { useText } from '@/hooks/useText';
import styles from './index.less';
import type { Lab } from './labFacts';

/** How far a start is, in a thin bar with what is being done; nothing where nobody can tell. */
export default function LabProgress({ lab: { session, state } }: { lab: Lab }) {
  const text = useText();
  if (!session?.progress) return null;
  const { percent, detail } = session.progress;
  const known = percent === null ? { 'aria-valuetext': detail } : { 'aria-valuenow': Math.floor(percent) };
  return (
    <div className={styles.progress}>
      <div role="progressbar" aria-label={text(`workshop.state.${state}`)} aria-valuemin={0} aria-valuemax={100} {...known}>
        <i data-known={percent !== null} style={percent === null ? undefined : { inlineSize: `${percent}%` }} />
      </div>
      <small>
        <bdi>{detail}</bdi>
      </small>
    </div>
  );
}
