import { useRequest } from 'ahooks';
import { Segmented, Skeleton } from 'antd';
import { useCallback } from 'react';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import type { Lab } from '@/components/LabCard/labFacts';
import TimeSeriesChart from '@/components/TimeSeriesChart';
import { useUrlQuery } from '@/hooks/usePage';
import { usePollWhile } from '@/hooks/usePollWhile';
import { useText } from '@/hooks/useText';
import { getWorkshopMetrics, type MetricsQuery, type WorkshopMetrics } from '@/services/workshop';
import { formatBytes } from '@/utils/formatBytes';
import { formatNumber } from '@/utils/formatNumber';
import { inOwnDirection } from '@/utils/language';
import styles from '../index.less';

const spans = ['15m', '1h', '6h', '24h', '7d'] as const;
const perSecond = (value: number) => `${formatBytes(value)}/s`;
const MB = 1024 ** 2;
const GB = 1024 * MB;
const isNeverInTransition = () => false;
const percent = (value: number) => inOwnDirection(`${formatNumber(Math.round(value * 10) / 10)}%`);
const bytes = (value: number) => formatBytes(value);

function Charts({ metrics, lab }: { metrics: WorkshopMetrics; lab: Lab }) {
  const text = useText();
  const { series } = metrics;
  const dcu = (value: number) => text('common.dcu', { amount: formatNumber(value) });
  return (
    <div className={styles.charts}>
      <TimeSeriesChart
        name={text('workshop.metrics.cpu')}
        at={series.at}
        values={series.cpuPercent}
        format={percent}
        color="--pending"
        floor={10}
      />
      <TimeSeriesChart
        name={text('workshop.metrics.memory')}
        at={series.at}
        values={series.memoryBytes}
        format={bytes}
        isBytes
        color="--brand"
        limit={metrics.memoryLimitBytes}
        floor={GB / 16}
      />
      <TimeSeriesChart
        name={text('workshop.metrics.disk')}
        at={series.at}
        values={series.diskBytes}
        format={bytes}
        isBytes
        color="--stopping"
        limit={lab.spec.diskBytes}
        floor={MB}
      />
      {(['rxBytesPerSecond', 'txBytesPerSecond'] as const).map(
        (direction) =>
          series[direction].some((value) => value !== null) && (
            <TimeSeriesChart
              key={direction}
              name={text(direction === 'rxBytesPerSecond' ? 'workshop.metrics.received' : 'workshop.metrics.sent')}
              at={series.at}
              values={series[direction]}
              format={perSecond}
              isBytes
              color="--lost"
              floor={1024}
            />
          ),
      )}
      <TimeSeriesChart
        name={text('workshop.metrics.cost')}
        at={series.at}
        values={series.costDcu}
        format={dcu}
        color="--running"
        isRunningTotal
        floor={0.01}
      />
    </div>
  );
}

/** CPU, memory, disk, network and cost over the chosen range or the whole run; gaps stay gaps. */
export default function MetricsTab({ lab }: { lab: Lab }) {
  const text = useText();
  const { search, writeQuery } = useUrlQuery();
  const asked = new URLSearchParams(search).get('range');
  const { workshopId, session } = lab;
  const sessionId = session?.sessionId ?? lab.lastSession?.sessionId;
  const ranges = sessionId ? ([...spans, 'run'] as const) : spans;
  const range = ranges.find((one) => one === asked) ?? '15m';
  const load = useCallback(
    () => getWorkshopMetrics({ workshopId, ...(range === 'run' ? { sessionId } : { range }) } as MetricsQuery),
    [workshopId, sessionId, range],
  );
  const request = useRequest(load, { refreshDeps: [load], onError: () => undefined });
  usePollWhile(request, isNeverInTransition);
  const { data, error, loading, refresh } = request;
  const isBlank = data?.series.cpuPercent.every((value) => value === null);
  return (
    <>
      <Segmented
        className={styles.ranges}
        aria-label={text('workshop.metrics.range')}
        value={range}
        options={ranges.map((one) => ({
          value: one,
          label:
            one === 'run' ? text(session ? 'workshop.cost.run' : 'workshop.cost.lastRun') : text(`workshop.metrics.range.${one}`),
        }))}
        onChange={(chosen) => writeQuery({ range: chosen === '15m' ? null : chosen })}
      />
      {error && <ErrorState error={error} onRetry={refresh} isRetrying={loading} />}
      {!data && !error && <Skeleton active paragraph={{ rows: 8 }} />}
      {isBlank && !error && (
        <EmptyState drawing="map" title={text('workshop.metrics.empty.title')} words={text('workshop.metrics.empty.text')} />
      )}
      {data && !isBlank && (
        <>
          <Charts metrics={data} lab={lab} />
          <p className={styles.note}>{text('workshop.metrics.gap')}</p>
        </>
      )}
    </>
  );
}
