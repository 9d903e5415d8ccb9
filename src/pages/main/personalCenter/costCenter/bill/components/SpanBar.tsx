import { Input, Segmented } from 'antd';
import { useText } from '@/hooks/useText';
import { formatDay, isDay } from '@/utils/billingDays';
import { currentLanguage } from '@/utils/language';
import styles from './bill.less';
import { type BillSpanName, billSpans, spanWith } from './billSpan';
import type { Bill } from './useBill';

/** Which days the bill is of: three that are asked for most, or any up to a year. */
export function SpanBar({ bill }: { bill: Bill }) {
  const text = useText();
  const { days, page, span } = bill;
  const choose = (chosen: BillSpanName) =>
    page.setFilters(
      chosen === 'custom'
        ? { span: chosen, ...days }
        : { span: chosen === 'month' ? undefined : chosen, from: undefined, to: undefined },
    );
  const pick = (end: 'from' | 'to', day: string) => isDay(day) && page.setFilters(spanWith(days, { [end]: day }));
  return (
    <div className={styles.span}>
      <div className={styles.choices}>
        <Segmented<BillSpanName>
          aria-label={text('bill.span')}
          value={span}
          onChange={choose}
          options={billSpans.map((value) => ({ value, label: text(`bill.span.${value}`) }))}
        />
      </div>
      {span === 'custom' ? (
        <span className={styles.range}>
          <Input
            type="date"
            lang={currentLanguage()}
            aria-label={text('bill.from')}
            value={days.from}
            onChange={({ target }) => pick('from', target.value)}
          />
          <span aria-hidden="true">–</span>
          <Input
            type="date"
            lang={currentLanguage()}
            aria-label={text('bill.to')}
            value={days.to}
            onChange={({ target }) => pick('to', target.value)}
          />
          <small>{text('bill.span.most')}</small>
        </span>
      ) : (
        <span className={styles.days}>{text('bill.days', { from: formatDay(days.from), to: formatDay(days.to) })}</span>
      )}
    </div>
  );
}
