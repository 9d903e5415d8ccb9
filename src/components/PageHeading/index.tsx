import type { ReactNode } from 'react';
import styles from './index.less';

interface PageHeadingProps {
  title: string;
  /** A line under the title. */
  subtitle?: ReactNode;
  /** The page's actions; the primary one last. */
  actions?: ReactNode;
}

/** The one heading of a page. */
export function PageHeading({ title, subtitle, actions }: PageHeadingProps) {
  return (
    <header className={styles.heading}>
      <div>
        <h1>{title}</h1>
        {subtitle ? <p>{subtitle}</p> : null}
      </div>
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </header>
  );
}
