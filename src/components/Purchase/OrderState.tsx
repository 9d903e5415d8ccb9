import { useText } from '@/hooks/useText';
import type { OrderState as State } from '../../../gateway/contract/orderStates';
import { MarkedWord } from '../StateBadge';
import type { StateMark } from '../StateBadge/stateMark';

export const orderMarks: Readonly<Record<State, StateMark>> = {
  PENDING: { mark: 'ring', tone: 'moving', filled: 0.35 },
  FULFILLED: { mark: 'check', tone: 'running', filled: 1 },
  CANCELLED: { mark: 'cross', tone: 'still', filled: 0 },
  EXPIRED: { mark: 'dashed', tone: 'still', filled: 0 },
  REFUNDING: { mark: 'ring', tone: 'leaving', filled: 0.7 },
  REFUNDED: { mark: 'hollow', tone: 'still', filled: 0 },
  PART_REFUNDED: { mark: 'half', tone: 'still', filled: 0.5 },
};

/** An order's state by colour, by shape and in a word. */
export function OrderState({ state }: { state: State }) {
  const text = useText();
  return <MarkedWord mark={orderMarks[state]} word={text(`purchase.state.${state}`)} />;
}
