import type { TableColumnsType } from 'antd';
import { useMemo } from 'react';
import { DcuAmount } from '@/components/DcuAmount';
import { useText } from '@/hooks/useText';
import type { DcuChange } from '@/services/account';
import { formatDateTime, formatInstant } from '@/utils/formatTime';
import { ChangeSubject } from './ChangeSubject';

/** The columns of the changes table. */
export function useChangeColumns(): TableColumnsType<DcuChange> {
  const text = useText();
  return useMemo(
    () => [
      {
        title: text('change.at'),
        dataIndex: 'at',
        width: 200,
        render: (at: string) => (
          <time dateTime={at} title={formatInstant(at)}>
            {formatDateTime(at)}
          </time>
        ),
      },
      {
        title: text('change.kind'),
        dataIndex: 'kind',
        width: 128,
        render: (kind: DcuChange['kind']) => text(`change.kind.${kind}`),
      },
      { title: text('change.what'), render: (_, change) => <ChangeSubject change={change} /> },
      {
        title: text('change.amount'),
        dataIndex: 'amountDcu',
        width: 160,
        align: 'end' as const,
        render: (amount: number) => <DcuAmount value={amount} isSigned isBare />,
      },
      {
        title: text('change.balance'),
        dataIndex: 'balanceAfterDcu',
        width: 200,
        align: 'end' as const,
        render: (balance: number) => <DcuAmount value={balance} isBare />,
      },
    ],
    [text],
  );
}
