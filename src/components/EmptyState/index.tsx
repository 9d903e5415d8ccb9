import type { ReactNode } from 'react';
import { type DrawingName, LineDrawing } from '../LineDrawing';
import styles from './index.less';

interface EmptyStateProps {
  drawing: DrawingName;
  /** One sentence: what would be here and how it comes to be. */
  words: string;
  title?: string;
  /** The next step, as a button. */
  action?: ReactNode;
}

export function EmptyState({ drawing, words, title, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <LineDrawing name={drawing} />
      {title ? <h2>{title}</h2> : null}
      <p>{words}</p>
      {action}
    </div>
  );
}
