import { useDocumentVisibility, useInterval } from 'ahooks';
import { useRef, useState } from 'react';
import { POLL_SLOW_MS } from '@/hooks/usePollWhile';
import { aheadOf, type Lab, type LiveFigures } from './labFacts';

const TICK_MS = 1_000;

/** Cost and running time that move on between two answers and are corrected by the next one. */
export function useLiveFigures(lab: Lab): LiveFigures {
  const { session } = lab;
  const isTicking = lab.state === 'RUNNING' && session !== null;
  const isVisible = useDocumentVisibility() !== 'hidden';
  const [now, setNow] = useState(() => performance.now());
  // Each answer is a new object: the moment it is first drawn is the moment its figures stand for.
  const answer = useRef({ session, at: now });
  if (answer.current.session !== session) answer.current = { session, at: performance.now() };
  useInterval(() => setNow(performance.now()), isTicking && isVisible ? TICK_MS : undefined);

  if (!session) return { costDcu: 0, runningMs: 0 };
  return isTicking ? aheadOf(session, now - answer.current.at, POLL_SLOW_MS) : session;
}
