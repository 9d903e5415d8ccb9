import type { StateMark } from '@/components/StateBadge/stateMark';
import type { PurchasedItem } from '@/services/membership';

export type ItemState = PurchasedItem['state'];

/** How each state is drawn; the contract's words, in the order of the filter. */
export const itemMarks: Readonly<Record<ItemState, StateMark>> = {
  ACTIVE: { mark: 'dot', tone: 'running', filled: 1 },
  QUEUED: { mark: 'ring', tone: 'moving', filled: 0.15 },
  PAUSED: { mark: 'half', tone: 'leaving', filled: 0.5 },
  ENDED: { mark: 'hollow', tone: 'still', filled: 0 },
  UPGRADED: { mark: 'check', tone: 'still', filled: 1 },
  REFUNDED: { mark: 'cross', tone: 'still', filled: 0 },
};

export const itemStates = Object.keys(itemMarks) as ItemState[];
