import { useText } from '@/hooks/useText';
import type { WorkshopState } from '../../../gateway/contract/workshopStates';
import styles from './index.less';
import { type StateMark, stateMarks } from './stateMark';

const RADIUS = 5;
const ROUND = 2 * Math.PI * RADIUS;

function MarkShape({ mark, filled }: StateMark) {
  switch (mark) {
    case 'dot':
      return (
        <>
          <circle className={styles.pulse} cx="8" cy="8" r="5" />
          <circle cx="8" cy="8" r="5" fill="currentColor" />
        </>
      );
    case 'ring':
      return (
        <>
          <circle cx="8" cy="8" r={RADIUS} className={styles.track} />
          <circle
            cx="8"
            cy="8"
            r={RADIUS}
            className={styles.arc}
            strokeDasharray={`${ROUND * filled} ${ROUND}`}
            transform="rotate(-90 8 8)"
          />
        </>
      );
    case 'half':
      return (
        <>
          <circle cx="8" cy="8" r={RADIUS} className={styles.line} />
          <path d="M8 3a5 5 0 0 0 0 10z" fill="currentColor" />
        </>
      );
    case 'triangle':
      return (
        <>
          <path d="M8 1.8 15 14H1z" fill="currentColor" />
          <path d="M8 6.2v3.6M8 11.6v.6" className={styles.cut} />
        </>
      );
    case 'dashed':
      return <circle cx="8" cy="8" r={RADIUS} className={styles.line} strokeDasharray="3 2.2" />;
    case 'cross':
      return <path d="m4 4 8 8M12 4l-8 8" className={styles.line} />;
    case 'check':
      return (
        <>
          <circle cx="8" cy="8" r="7" fill="currentColor" />
          <path d="m4.8 8.2 2.3 2.3 4.1-4.6" className={styles.cut} />
        </>
      );
    default:
      return <circle cx="8" cy="8" r={RADIUS} className={styles.line} />;
  }
}

/** A state by colour, by shape and in a word. */
export function MarkedWord({ mark, word }: { mark: StateMark; word: string }) {
  return (
    <span className={styles.badge}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" className={styles[mark.tone]}>
        <MarkShape {...mark} />
      </svg>
      <span>{word}</span>
    </span>
  );
}

/** A workshop's state. */
export default function StateBadge({ state }: { state: WorkshopState }) {
  const text = useText();
  return <MarkedWord mark={stateMarks[state]} word={text(`workshop.state.${state}`)} />;
}
