import { EmptyState } from '@/components/EmptyState';
import type { Lab } from '@/components/LabCard/labFacts';
import { RunOutput } from '@/components/RunOutput';
import { useText } from '@/hooks/useText';

/** What the present run prints or, without one, what the last run printed. */
export default function OutputTab({ lab: { workshopId, session, lastSession } }: { lab: Lab }) {
  const text = useText();
  const sessionId = session?.sessionId ?? (lastSession?.hasOutput ? lastSession.sessionId : undefined);
  if (sessionId === undefined) return <EmptyState drawing="ledger" words={text('run.output.none')} />;
  return <RunOutput key={sessionId} workshopId={workshopId} sessionId={sessionId} />;
}
