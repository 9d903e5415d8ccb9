import { Button } from 'antd';
import { Fragment } from 'react';
import { useText } from '@/hooks/useText';
import styles from './index.less';
import { readableName } from './names';

/** The way from the home to the folder that is shown; each part leads back to it. */
export function Crumbs({ folder, onGo }: { folder: string; onGo: (folder: string) => void }) {
  const text = useText();
  const parts = folder === '' ? [] : folder.split('/');
  const steps = [text('files.home'), ...parts.map(readableName)].map((label, depth) => ({
    label,
    to: parts.slice(0, depth).join('/'),
  }));
  return (
    <nav className={styles.crumbs} aria-label={text('files.way')}>
      {steps.map(({ label, to }, depth) => (
        <Fragment key={to}>
          {depth > 0 && <span aria-hidden="true">/</span>}
          {depth === steps.length - 1 ? (
            <bdi aria-current="location">{label}</bdi>
          ) : (
            <Button type="link" size="small" onClick={() => onGo(to)}>
              <bdi>{label}</bdi>
            </Button>
          )}
        </Fragment>
      ))}
    </nav>
  );
}
