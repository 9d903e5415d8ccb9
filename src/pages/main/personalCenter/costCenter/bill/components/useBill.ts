import { useRequest } from 'ahooks';
import { FOCUS_MS } from '@/hooks/useCached';
import { usePage, useUrlQuery, wordFilter } from '@/hooks/usePage';
import { type BillLine, getBillSummary, pageBillLines } from '@/services/bill';
import { type BillFilters, billFilters, daysOf, stepOf } from './billSpan';

export type Grouping = 'workshop' | 'spec';
const readGroup = wordFilter(['workshop', 'spec'] as const);
const readStep = wordFilter(['day', 'month'] as const);

/** The bill the URL asks for: its days, its sums and its lines. */
export function useBill() {
  const { search, writeQuery } = useUrlQuery();
  const params = new URLSearchParams(search);
  const page = usePage<BillLine, BillFilters>({
    filters: billFilters,
    load: ({ current, pageSize, workshopId, ...span }) =>
      pageBillLines({ current, pageSize, ...daysOf(span), ...(workshopId ? { workshopId } : {}) }),
  });
  const days = daysOf(page.filters);
  const step = stepOf(days, readStep(params.get('step') ?? ''));
  const group = readGroup(params.get('group') ?? '') ?? 'workshop';
  const key = JSON.stringify([days, step, group]);
  const summary = useRequest(async () => ({ ...(await getBillSummary({ ...days, step, group })), key }), {
    refreshDeps: [key],
    refreshOnWindowFocus: true,
    focusTimespan: FOCUS_MS,
    // The page shows the error itself, with a retry.
    onError: () => undefined,
  });
  const { workshopId } = page.filters;
  return {
    days,
    step,
    group,
    summary,
    isSummaryStale: summary.data !== undefined && summary.data.key !== key,
    span: page.filters.span ?? 'month',
    workshopId,
    // A span of days is no search: without lines it says that nothing was used, not that nothing matches.
    page: {
      ...page,
      isFiltered: workshopId !== undefined,
      isBlank: page.data !== undefined && !page.isStale && page.total === 0 && workshopId === undefined,
      clearFilters: () => page.setFilters({ workshopId: undefined }),
    },
    setStep: (next: 'day' | 'month') => writeQuery({ step: next }),
    setGroup: (next: Grouping) => writeQuery({ group: next === 'workshop' ? null : next }),
  };
}

export type Bill = ReturnType<typeof useBill>;
