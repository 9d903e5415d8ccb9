import { useLocation, useNavigate } from '@umijs/max';
import { useRequest } from 'ahooks';
import { useEffect, useRef } from 'react';

export type SortOrder = 'ascend' | 'descend';

/** What a list call takes besides its filters, spelt as on the wire. */
export interface PageQuery<S extends string = string> {
  current: number;
  pageSize: number;
  sortField?: S;
  sortOrder?: SortOrder;
}

/** Reads one filter from the URL; undefined where the URL holds nothing usable, so that a mistyped link never breaks a list. */
export type FilterReaders<F> = { readonly [K in keyof F]-?: (raw: string) => F[K] | undefined };

interface PageOptions<Row, F extends object, S extends string> {
  load: (query: Partial<F> & PageQuery<S>) => Promise<{ list: Row[]; total: number }>;
  filters: FilterReaders<F>;
  sortFields?: readonly S[];
  pageSize?: number;
  /** Keeps two lists of one page apart in the URL (`events.current`). */
  urlPrefix?: string;
}

export const DEFAULT_PAGE_SIZE = 10;
const MAX_PAGE_SIZE = 100;

/** Any text of the URL, up to a length. */
export function textFilter(maxLength: number): (raw: string) => string | undefined {
  return (raw) => raw.slice(0, maxLength) || undefined;
}

/** One word of a fixed list; any other is dropped. */
export function wordFilter<W extends string>(words: readonly W[]): (raw: string) => W | undefined {
  return (raw) => words.find((word) => word === raw);
}

function readCount(raw: string | null, otherwise: number, max: number): number {
  const count = Number(raw);
  return Number.isInteger(count) && count >= 1 && count <= max ? count : otherwise;
}

function readQuery<F extends object, S extends string>(
  search: string,
  options: { filters: FilterReaders<F>; sortFields?: readonly S[]; pageSize?: number; urlPrefix?: string },
) {
  const params = new URLSearchParams(search);
  const read = (name: string) => params.get(`${options.urlPrefix ?? ''}${name}`);
  const filters: Partial<F> = {};
  for (const name of Object.keys(options.filters) as (keyof F & string)[]) {
    const raw = read(name);
    const value = raw === null ? undefined : options.filters[name](raw);
    if (value !== undefined) filters[name] = value;
  }
  const page: PageQuery<S> = {
    current: readCount(read('current'), 1, 100_000),
    pageSize: readCount(read('pageSize'), options.pageSize ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE),
  };
  const sortField = options.sortFields?.find((field) => field === read('sortField'));
  if (sortField) {
    page.sortField = sortField;
    page.sortOrder = read('sortOrder') === 'ascend' ? 'ascend' : 'descend';
  }
  return { filters, page };
}

/** Writes names into the query string of the present URL and leaves everything else in it alone. */
export function useUrlQuery() {
  const location = useLocation();
  const navigate = useNavigate();
  // Two changes in one tick must both survive, so the second starts from what the first wrote, not from the last render.
  const latest = useRef(location.search);
  latest.current = location.search;

  const writeQuery = (changes: Record<string, string | number | undefined | null>, isStep = false) => {
    const params = new URLSearchParams(latest.current);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined || value === null || value === '') params.delete(name);
      else params.set(name, String(value));
    }
    const search = params.toString() === '' ? '' : `?${params}`;
    latest.current = search;
    navigate({ pathname: location.pathname, search, hash: location.hash }, { replace: !isStep });
  };
  return { search: location.search, writeQuery };
}

/**
 * A list whose page, filters and order live in the URL: a reload, a link and the Back button show the same rows. Old rows
 * stay while new ones load; `isStale` says that they belong to another query than the one now asked for.
 */
export function usePage<Row, F extends object, S extends string = never>(options: PageOptions<Row, F, S>) {
  const { search, writeQuery } = useUrlQuery();
  const prefix = options.urlPrefix ?? '';
  const defaultPageSize = options.pageSize ?? DEFAULT_PAGE_SIZE;
  const { filters, page } = readQuery(search, options);
  const key = JSON.stringify([filters, page]);

  const request = useRequest(async () => ({ ...(await options.load({ ...filters, ...page })), key }), {
    refreshDeps: [key],
    // The page shows the error itself, with a retry; without this line ahooks would log it as unhandled.
    onError: () => undefined,
  });
  const { data, error, loading, refresh, mutate } = request;

  const write = (changes: Record<string, string | number | undefined | null>, isStep = false) =>
    writeQuery(Object.fromEntries(Object.entries(changes).map(([name, value]) => [`${prefix}${name}`, value])), isStep);
  const setPage = (current: number, pageSize = page.pageSize) =>
    write({ current: current === 1 ? null : current, pageSize: pageSize === defaultPageSize ? null : pageSize }, true);

  const isBeyondEnd = data !== undefined && data.key === key && data.list.length === 0 && data.total > 0 && page.current > 1;
  const lastPage = data ? Math.max(1, Math.ceil(data.total / page.pageSize)) : 1;
  // The URL is the outside world: a page emptied by a deletion moves to the last one that has rows.
  useEffect(() => {
    if (isBeyondEnd) write({ current: lastPage === 1 ? null : lastPage });
  });

  return {
    data,
    error,
    loading,
    refresh,
    rows: data?.list ?? [],
    total: data?.total ?? 0,
    isFirstLoading: loading && data === undefined,
    isStale: data !== undefined && data.key !== key,
    /** There is nothing at all, whatever the filters. */
    isBlank: data !== undefined && data.key === key && data.total === 0 && Object.keys(filters).length === 0,
    ...page,
    filters,
    isFiltered: Object.keys(filters).length > 0,
    setPage,
    setFilters: (changes: { [K in keyof F]?: F[K] | undefined }) =>
      write({ ...(changes as Record<string, string>), current: null }),
    clearFilters: () => write(Object.fromEntries([...Object.keys(options.filters), 'current'].map((name) => [name, null]))),
    setSort: (sortField: S | undefined, sortOrder: SortOrder = 'descend') =>
      write({ sortField, sortOrder: sortField && sortOrder, current: null }),
    /** Shows an answer at once, before the next load confirms it. */
    setRows: (change: (rows: Row[]) => Row[]) => mutate((old) => old && { ...old, list: change(old.list) }),
  };
}
