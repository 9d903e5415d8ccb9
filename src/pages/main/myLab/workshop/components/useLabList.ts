import { useEffect, useRef } from 'react';
import type { Lab } from '@/components/LabCard/labFacts';
import { useCached } from '@/hooks/useCached';
import { textFilter, usePage, wordFilter } from '@/hooks/usePage';
import { usePollWhile } from '@/hooks/usePollWhile';
import { getWorkshopFilters, pageWorkshops } from '@/services/workshop';
import { inTransition, type WorkshopState, workshopStates } from '../../../../../../gateway/contract/workshopStates';

export const sortFields = ['createdAt', 'name', 'stateChangedAt'] as const;

interface LabFilters {
  keyword: string;
  state: WorkshopState;
  specId: string;
}

function isAnyInTransition({ list }: { list: Lab[] }): boolean {
  return list.some(({ state }) => inTransition.includes(state));
}

/** The member's labs with the filters that fit them, kept fresh while the page is looked at. */
export function useLabList() {
  const page = usePage<Lab, LabFilters, (typeof sortFields)[number]>({
    load: pageWorkshops,
    filters: { keyword: textFilter(40), state: wordFilter(workshopStates), specId: textFilter(64) },
    sortFields,
  });
  usePollWhile(page, isAnyInTransition);

  const { data: offered, refresh: refreshFilters } = useCached('workshopFilters', getWorkshopFilters);
  // The counts of the filters belong to the states last seen; asking for them on every poll would say the same thing again.
  const seen = page.data?.list.map(({ workshopId, state }) => `${workshopId}${state}`).join();
  const lastSeen = useRef(seen);
  useEffect(() => {
    if (lastSeen.current !== undefined && lastSeen.current !== seen) refreshFilters();
    lastSeen.current = seen;
  }, [seen, refreshFilters]);

  const showAnswer = (lab: Lab) => {
    page.setRows((rows) => rows.map((row) => (row.workshopId === lab.workshopId ? lab : row)));
    // A poll that is under way was asked before the answer: it is dropped for a newer one.
    page.refresh();
  };
  return { page, offered, showAnswer };
}

export type LabList = ReturnType<typeof useLabList>;
