import { Tooltip } from 'antd';
import { useText } from '@/hooks/useText';
import { formatExact, formatNumber, formatSigned } from '@/utils/formatNumber';
import styles from './index.less';

interface DcuAmountProps {
  value: number;
  /** Shows what is added with its sign, too. */
  isSigned?: boolean;
  /** The figure alone, where the heading already names the unit. */
  isBare?: boolean;
}

/** An amount of DCU to three decimals; all six in a tooltip. */
export function DcuAmount({ value, isSigned, isBare }: DcuAmountProps) {
  const text = useText();
  const figure = isSigned ? formatSigned(value) : formatNumber(value);
  return (
    <Tooltip title={text('common.exactDcu', { amount: formatExact(value) })}>
      <bdi className={styles.amount}>{isBare ? figure : text('common.dcu', { amount: figure })}</bdi>
    </Tooltip>
  );
}
