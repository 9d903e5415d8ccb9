import type { Bar } from '@/components/BarChart';
import type { BillSummary } from '@/services/bill';
import { addDays, daysBetween, formatDay, formatMonth, formatShortDay, formatShortMonth, monthOf } from '@/utils/billingDays';
import type { Days } from './billSpan';

/** A bar for each day or month of the span: what cost nothing stands there, too, so that time is drawn to scale. */
export function barsOf(series: BillSummary['series'], { from, to }: Days, step: 'day' | 'month'): Bar[] {
  const spent = new Map(series.map(({ period, dcu }) => [period, dcu]));
  if (step === 'day') {
    return Array.from({ length: daysBetween(from, to) }, (_, place) => {
      const day = addDays(from, place);
      return { key: day, label: formatDay(day), tick: formatShortDay(day), value: spent.get(day) ?? 0 };
    });
  }
  const bars: Bar[] = [];
  for (let month = monthOf(from); month <= monthOf(to); month = monthOf(`${month}-01`, 1)) {
    bars.push({ key: month, label: formatMonth(month), tick: formatShortMonth(month), value: spent.get(month) ?? 0 });
  }
  return bars;
}
