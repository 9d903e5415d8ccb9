import { Button } from 'antd';
import { lazy, type ReactNode, Suspense } from 'react';
import { useText } from '@/hooks/useText';
import { EmptyState } from '../EmptyState';
import { ErrorState } from '../ErrorState';
import type { DrawingName } from '../LineDrawing';
import { StaleNote } from '../StaleNote';
import styles from './index.less';

/** One page of rows needs no way to the next. */
const Pages = lazy(() => import('./Pages'));

/** What the list needs of `usePage`. */
export interface ListedPage<Row> {
  rows: Row[];
  total: number;
  current: number;
  pageSize: number;
  data?: unknown;
  error?: Error | undefined;
  loading: boolean;
  isStale: boolean;
  isBlank: boolean;
  isFiltered: boolean;
  refresh: () => void;
  clearFilters: () => void;
  setPage: (current: number) => void;
}

interface PagedListProps<Row> {
  page: ListedPage<Row>;
  /** Beside the filters; the list's own heading where the page has more than the list. */
  heading?: string;
  /** Search, filters, order: hidden while there is nothing to filter. */
  filters?: ReactNode;
  /** `ListSkeleton` in the shape of what comes. */
  skeleton: ReactNode;
  /** What stands here when there is nothing at all: one sentence and the next step. */
  empty: { drawing: DrawingName; title?: string; words: string; action?: ReactNode };
  /** How many there are, in words. */
  totalWords?: string;
  isFramed?: boolean;
  children: (rows: Row[]) => ReactNode;
}

/**
 * A list over `usePage` in every state it can be in: loading for the first time, reloading with the old rows dimmed, failed
 * with or without old rows, empty, filtered to nothing, and there. For everything that comes in pages; rows are usually a
 * `RowTable` or cards.
 */
export function PagedList<Row>({ page, heading, filters, isFramed, ...rest }: PagedListProps<Row>) {
  const frame = isFramed ? `${styles.list} ${styles.framed}` : styles.list;
  const shownFilters = page.isBlank ? undefined : filters;
  return (
    <section className={frame} aria-label={heading}>
      {(heading || shownFilters) && (
        <div className={styles.head}>
          {heading && <h2>{heading}</h2>}
          {shownFilters}
        </div>
      )}
      <Body page={page} {...rest} />
    </section>
  );
}

type BodyProps<Row> = Pick<PagedListProps<Row>, 'page' | 'skeleton' | 'empty' | 'totalWords' | 'children'>;

function Body<Row>({ page, skeleton, empty, totalWords, children }: BodyProps<Row>) {
  const text = useText();
  const { data, error, total, isStale, loading } = page;
  const hasRows = data !== undefined && total > 0;
  if (error && !hasRows) return <ErrorState error={error} onRetry={page.refresh} isRetrying={loading} />;
  if (data === undefined || (isStale && !hasRows)) {
    return (
      <div role="status" aria-label={text('list.loading')}>
        {skeleton}
      </div>
    );
  }
  if (!hasRows) return page.isFiltered ? <NothingFits onClear={page.clearFilters} /> : <EmptyState {...empty} />;
  return (
    <>
      {error && <StaleNote error={error} isRetrying={loading} onRetry={page.refresh} />}
      <div className={styles.rows} aria-busy={isStale && loading} data-stale={isStale}>
        {children(page.rows)}
      </div>
      <Foot page={page} totalWords={totalWords} />
    </>
  );
}

function Foot<Row>({ page, totalWords }: { page: ListedPage<Row>; totalWords: string | undefined }) {
  const hasMore = page.total > page.pageSize;
  if (!totalWords && !hasMore) return null;
  return (
    <div className={styles.foot}>
      <span>{totalWords}</span>
      {hasMore && (
        <Suspense>
          <Pages page={page} />
        </Suspense>
      )}
    </div>
  );
}

function NothingFits({ onClear }: { onClear: () => void }) {
  const text = useText();
  return (
    <EmptyState
      drawing="map"
      title={text('list.filtered.title')}
      words={text('list.filtered.words')}
      action={<Button onClick={onClear}>{text('list.clear')}</Button>}
    />
  );
}
