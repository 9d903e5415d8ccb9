import { MinusOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, InputNumber } from 'antd';
import { useId } from 'react';
import { useText } from '@/hooks/useText';
import styles from './choose.less';

interface QuantityFieldProps {
  quantity: number;
  max: number;
  onChange: (quantity: number) => void;
}

/** How many pieces: typed, or one more and one less. */
export function QuantityField({ quantity, max, onChange }: QuantityFieldProps) {
  const text = useText();
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{text('checkout.quantity')}</label>
      <span className={styles.stepper}>
        <Button
          aria-label={text('checkout.quantity.less')}
          icon={<MinusOutlined aria-hidden />}
          disabled={quantity <= 1}
          onClick={() => onChange(quantity - 1)}
        />
        <InputNumber
          id={id}
          min={1}
          max={max}
          precision={0}
          controls={false}
          inputMode="numeric"
          value={quantity}
          onChange={(value) => value !== null && onChange(value)}
        />
        <Button
          aria-label={text('checkout.quantity.more')}
          icon={<PlusOutlined aria-hidden />}
          disabled={quantity >= max}
          onClick={() => onChange(quantity + 1)}
        />
      </span>
    </div>
  );
}
