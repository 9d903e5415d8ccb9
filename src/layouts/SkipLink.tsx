import type { MouseEvent } from 'react';
import { useText } from '@/hooks/useText';
import styles from './SkipLink.less';

const CONTENT = 'content';

/** The first stop of the Tab key: past the frame, to what the page is about. The address stays as it is. */
export function SkipLink() {
  const text = useText();
  const handleClick = (event: MouseEvent) => {
    event.preventDefault();
    document.getElementById(CONTENT)?.focus();
  };
  return (
    <a className={styles.skip} href={`#${CONTENT}`} onClick={handleClick}>
      {text('frame.skip')}
    </a>
  );
}
