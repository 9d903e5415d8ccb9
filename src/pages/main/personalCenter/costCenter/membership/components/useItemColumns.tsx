import { Link } from '@umijs/max';
import { useMemo } from 'react';
import type { Column } from '@/components/RowTable';
import { MarkedWord } from '@/components/StateBadge';
import { useText } from '@/hooks/useText';
import type { PurchasedItem } from '@/services/membership';
import { formatNumber } from '@/utils/formatNumber';
import { formatDate, formatInstant } from '@/utils/formatTime';
import { orderPath } from '@/utils/orderPaths';
import type { Text } from '@/utils/words';
import { itemMarks } from './itemFacts';
import styles from './PurchasedItems.less';

/** The columns of what was bought and given. */
export function useItemColumns(): Column<PurchasedItem>[] {
  const text = useText();
  return useMemo(
    () => [
      { key: 'package', title: text('membership.items.package'), cell: ({ name }) => <bdi className={styles.name}>{name}</bdi> },
      {
        key: 'state',
        title: text('membership.items.state'),
        width: 144,
        cell: ({ state }) => <MarkedWord mark={itemMarks[state]} word={text(`membership.items.state.${state}`)} />,
      },
      {
        key: 'source',
        title: text('membership.items.source'),
        width: 104,
        cell: ({ source }) => text(`membership.items.source.${source}`),
      },
      {
        key: 'period',
        title: text('membership.items.period'),
        width: 240,
        cell: ({ startsAt, endsAt }) => (
          <span>
            <Day at={startsAt} /> – <Day at={endsAt} />
          </span>
        ),
      },
      { key: 'dcu', title: text('membership.items.dcu'), width: 200, align: 'end', cell: (item) => dcuCell(item, text) },
      {
        key: 'next',
        title: text('membership.items.next'),
        width: 136,
        cell: ({ nextGrantAt }) => (nextGrantAt ? <Day at={nextGrantAt} /> : text('membership.items.next.none')),
      },
      { key: 'order', title: text('membership.items.order'), width: 120, cell: (item) => orderCell(item, text) },
    ],
    [text],
  );
}

function Day({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatInstant(at)}>
      {formatDate(at)}
    </time>
  );
}

/** What it has brought of what it promises, and how much of that is used. */
function dcuCell({ promisedDcu, grantedDcu, usedDcu }: PurchasedItem, text: Text) {
  if (promisedDcu === 0 && grantedDcu === 0) return text('membership.items.dcu.none');
  return (
    <span className={styles.dcu}>
      <span>{text('membership.items.granted', { granted: formatNumber(grantedDcu), promised: formatNumber(promisedDcu) })}</span>
      <small>{text('membership.items.used', { used: formatNumber(usedDcu) })}</small>
    </span>
  );
}

function orderCell({ orderId, name, startsAt }: PurchasedItem, text: Text) {
  if (!orderId) return '–';
  const words = text('membership.items.toOrder.name', { name, date: formatDate(startsAt) });
  return (
    <Link to={orderPath(orderId)} aria-label={words}>
      {text('membership.items.toOrder')}
    </Link>
  );
}
