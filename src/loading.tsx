import { useEffect, useState } from 'react';
import { LateChunkError, LOAD_TIMEOUT_MS } from './utils/loadFailure';

/**
 * Stands where a page's code is still on its way: empty ground at first, then the outline of a page. A style has no time-out
 * of its own, so what is still missing after the limit is told from here.
 */
export default function PageLoading() {
  const [isOverdue, setIsOverdue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsOverdue(true), LOAD_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, []);
  if (isOverdue) throw new LateChunkError();
  return (
    <div className="page-loading" aria-busy="true">
      <span />
      <span />
      <span />
    </div>
  );
}
