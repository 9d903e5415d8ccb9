import { useModel } from '@umijs/max';
import { useRequest } from 'ahooks';
import { useEffect, useRef } from 'react';
import type { Lab } from '@/components/LabCard/labFacts';
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

  const { refresh: refreshBalance } = useModel('balance');
  // Without them the filters offer nothing; the list itself says what is wrong.
  const { data: offered, refresh: refreshFilters } = useRequest(getWorkshopFilters, { onError: () => undefined });
  // Filter counts and burn rate change with the states seen; asking for them on every poll would say the same thing again.
  const seen = page.data?.list.map(({ workshopId, state }) => `${workshopId}${state}`).join();
  const lastSeen = useRef(seen);
  useEffect(() => {
    if (lastSeen.current !== undefined && lastSeen.current !== seen) {
      refreshFilters();
      refreshBalance();
    }
    lastSeen.current = seen;
  }, [seen, refreshFilters, refreshBalance]);

  const showAnswer = (lab: Lab) => {
    page.setRows((rows) => rows.map((row) => (row.workshopId === lab.workshopId ? lab : row)));
    // A poll that is under way was asked before the answer: it is dropped for a newer one.
    page.refresh();
  };
  return { page, offered, showAnswer };
}

export type LabList = ReturnType<typeof useLabList>;
