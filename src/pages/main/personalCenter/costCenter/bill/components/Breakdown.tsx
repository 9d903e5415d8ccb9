import { Button, Segmented } from 'antd';
import { DcuAmount } from '@/components/DcuAmount';
import { useText } from '@/hooks/useText';
import type { BillSummary } from '@/services/bill';
import { formatHours } from '@/utils/billingDays';
import { formatPercent } from '@/utils/formatNumber';
import styles from './bill.less';
import type { Bill, Grouping } from './useBill';

/** What the days went to, the most first. */
export function Breakdown({ bill, summary }: { bill: Bill; summary: BillSummary }) {
  const text = useText();
  const groups = [...summary.groups].sort((one, other) => other.dcu - one.dcu);
  const share = (dcu: number) => (summary.totalDcu > 0 ? dcu / summary.totalDcu : 0);
  // What stands there may still be of the other grouping while the new one is fetched.
  const isByWorkshop = bill.group === 'workshop' && !bill.isSummaryStale;
  return (
    <section aria-labelledby="bill-groups">
      <header className={styles.head}>
        <h2 id="bill-groups">{text('bill.groups')}</h2>
        <Segmented<Grouping>
          size="small"
          aria-label={text('bill.groups')}
          value={bill.group}
          onChange={bill.setGroup}
          options={(['workshop', 'spec'] as const).map((value) => ({ value, label: text(`bill.group.${value}`) }))}
        />
      </header>
      {groups.length === 0 && <p className={styles.nothing}>{text('bill.groups.empty')}</p>}
      <ul className={styles.groups}>
        {groups.map(({ groupId, name, dcu, observedMs, sessions }) => (
          <li key={groupId}>
            <b>
              <bdi>{name}</bdi>
            </b>
            <span className={styles.amount}>
              <DcuAmount value={dcu} /> <small>{formatPercent(share(dcu))}</small>
            </span>
            <span className={styles.track} aria-hidden="true">
              <i style={{ inlineSize: `${100 * share(dcu)}%` }} />
            </span>
            <small>
              {formatHours(observedMs)} · {text('bill.runs', { count: sessions })}
            </small>
            {isByWorkshop && (
              <Button
                type="link"
                size="small"
                aria-pressed={bill.workshopId === groupId}
                aria-label={text('bill.group.lines.of', { name })}
                onClick={() => bill.page.setFilters({ workshopId: bill.workshopId === groupId ? undefined : groupId })}
              >
                {text(bill.workshopId === groupId ? 'bill.group.allLines' : 'bill.group.lines')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
