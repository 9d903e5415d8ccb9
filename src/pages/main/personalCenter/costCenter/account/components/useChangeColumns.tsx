import { useMemo } from 'react';
import { DcuAmount } from '@/components/DcuAmount';
import type { Column } from '@/components/RowTable';
import { useText } from '@/hooks/useText';
import type { DcuChange } from '@/services/account';
import { formatDateTime, formatInstant } from '@/utils/formatTime';
import { ChangeSubject } from './ChangeSubject';

/** The columns of the changes table. */
export function useChangeColumns(): Column<DcuChange>[] {
  const text = useText();
  return useMemo(
    () => [
      {
        key: 'at',
        title: text('change.at'),
        width: 200,
        cell: ({ at }) => (
          <time dateTime={at} title={formatInstant(at)}>
            {formatDateTime(at)}
          </time>
        ),
      },
      { key: 'kind', title: text('change.kind'), width: 128, cell: ({ kind }) => text(`change.kind.${kind}`) },
      { key: 'what', title: text('change.what'), cell: (change) => <ChangeSubject change={change} /> },
      {
        key: 'amount',
        title: text('change.amount'),
        width: 160,
        align: 'end',
        cell: ({ amountDcu }) => <DcuAmount value={amountDcu} isSigned isBare />,
      },
      {
        key: 'balance',
        title: text('change.balance'),
        width: 200,
        align: 'end',
        cell: ({ balanceAfterDcu }) => <DcuAmount value={balanceAfterDcu} isBare />,
      },
    ],
    [text],
  );
}
