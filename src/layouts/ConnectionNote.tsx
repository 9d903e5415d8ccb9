import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useText } from '@/hooks/useText';
import type { Word } from '@/utils/words';
import styles from './ConnectionNote.less';

const BACK_SHOWN_MS = 5_000;

function onConnectionChange(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** Says while the browser is without a network, and for a moment that it is back. The page makes room for it. */
export function ConnectionNote() {
  const text = useText();
  const isOnline = useSyncExternalStore(onConnectionChange, () => window.navigator.onLine);
  const [isBack, setIsBack] = useState(false);
  const wasOffline = useRef(false);
  useEffect(() => {
    const hasReturned = isOnline && wasOffline.current;
    wasOffline.current = !isOnline;
    setIsBack(hasReturned);
    if (!hasReturned) return;
    const timer = setTimeout(() => setIsBack(false), BACK_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isOnline]);

  let word: Word | null = null;
  if (!isOnline) word = 'frame.offline';
  else if (isBack) word = 'frame.online';
  const isShown = word !== null;
  useEffect(() => {
    document.documentElement.toggleAttribute('data-noted', isShown);
    return () => document.documentElement.removeAttribute('data-noted');
  }, [isShown]);
  // The region stands empty before it speaks: only then is what appears in it read out.
  return (
    <div role="status" aria-live="polite" className={styles.note} data-online={isOnline}>
      {word ? text(word) : null}
    </div>
  );
}
