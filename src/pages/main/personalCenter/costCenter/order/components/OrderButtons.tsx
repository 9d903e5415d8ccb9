import { Button } from 'antd';
import { useText } from '@/hooks/useText';
import type { OrderRow } from '@/services/order';
import styles from './order.less';
import type { OnOrderAction } from './useOrderActions';

interface OrderButtonsProps {
  order: OrderRow;
  onAction: OnOrderAction;
  size?: 'small' | 'middle';
}

/** What can be done about an order now: what the gateway says, nothing else. */
export function OrderButtons({ order, onAction, size = 'small' }: OrderButtonsProps) {
  const text = useText();
  if (order.actions.length === 0) return null;
  return (
    <div className={styles.buttons}>
      {order.actions.map((action) => (
        <Button
          key={action}
          size={size}
          type={action === 'pay' ? 'primary' : 'default'}
          data-track={`${action}-order`}
          aria-label={text('order.action.of', { action: text(`order.action.${action}`), title: order.title })}
          onClick={() => onAction(order, action)}
        >
          {text(`order.action.${action}`)}
        </Button>
      ))}
    </div>
  );
}
