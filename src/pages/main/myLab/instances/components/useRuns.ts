import { useRequest } from 'ahooks';
import { textFilter, usePage, wordFilter } from '@/hooks/usePage';
import { usePollWhile } from '@/hooks/usePollWhile';
import { getRunFilters, type LabRun, pageRuns } from '@/services/labSession';
import { isDay } from '@/utils/billingDays';
import { type StopReason, stopReasons } from '../../../../../../gateway/contract/workshopStates';

export const runStates = ['OPEN', 'ENDED'] as const;
export const runSorts = ['startedAt', 'costDcu', 'runningMs'] as const;

export interface RunFilters {
  keyword: string;
  state: (typeof runStates)[number];
  stopReason: StopReason;
  specId: string;
  /** Days of the reader, both counted in. */
  from: string;
  to: string;
}

const dayFilter = (raw: string) => (isDay(raw) ? raw : undefined);

/** The first moment of a day where the reader is, or of the day after. */
function momentOf(day: string, daysLater = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater).toISOString();
}

/** The runs the URL asks for, and what its filters can offer. */
export function useRuns() {
  const page = usePage<LabRun, RunFilters, (typeof runSorts)[number]>({
    load: ({ from, to, ...query }) =>
      pageRuns({ ...query, ...(from ? { from: momentOf(from) } : {}), ...(to ? { to: momentOf(to, 1) } : {}) }),
    filters: {
      keyword: textFilter(40),
      state: wordFilter(runStates),
      stopReason: wordFilter(stopReasons),
      specId: textFilter(64),
      from: dayFilter,
      to: dayFilter,
    },
    sortFields: runSorts,
  });
  // Only a run that goes on changes, and its figures are of the minute.
  usePollWhile(page, () => false);
  // Without them the filters offer nothing; the list itself says what is wrong.
  const { data: offered, refresh: refreshOffer } = useRequest(getRunFilters, { onError: () => undefined });
  return {
    page,
    offered,
    refresh: () => {
      page.refresh();
      refreshOffer();
    },
  };
}

export type Runs = ReturnType<typeof useRuns>;
