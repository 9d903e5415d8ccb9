import { type ReactNode, useId } from 'react';
import styles from './index.less';

interface OptionCardProps {
  /** Options of one group share it. */
  name: string;
  isChosen: boolean;
  title: ReactNode;
  /** Why it cannot be chosen; empty when it can. */
  reason?: string;
  onChoose: () => void;
  children?: ReactNode;
}

/** A radio button with room for what the choice means. */
export default function OptionCard({ name, isChosen, title, reason = '', onChoose, children }: OptionCardProps) {
  const id = useId();
  return (
    <label className={styles.option} data-chosen={isChosen} data-disabled={reason !== ''}>
      <input
        type="radio"
        name={name}
        checked={isChosen}
        disabled={reason !== ''}
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-about`}
        onChange={onChoose}
      />
      <span className={styles.title} id={`${id}-title`}>
        {title}
      </span>
      <span className={styles.about} id={`${id}-about`}>
        {children}
        {reason && (
          <span className={styles.reason}>
            <bdi>{reason}</bdi>
          </span>
        )}
      </span>
    </label>
  );
}
