import { timingSafeEqual } from 'node:crypto';
import { type Db, inTransaction, type Tx } from '../../../db/client';
import { noticesOf, takeMoney } from './sandboxBooks';
import {
  insertNotices,
  type Money,
  selectMoneyOf,
  selectTradeForUpdate,
  selectTradeNow,
  type Trade,
  updateTrade,
} from './sandboxBooks.repository';

const SLOW_MS = 20_000;
/** Long enough for whoever waits for the money to have given the payment up. */
const LATE_MS = 60_000;
const COPIES = 3;

export const payActions = ['approve', 'slow', 'duplicate', 'double', 'late', 'decline'] as const;
export const refundModes = ['accept', 'refuse', 'later'] as const;
export type CashierAction = (typeof payActions)[number] | (typeof refundModes)[number];

/** A trade as its cashier page shows it. */
export interface ShownTrade {
  trade: Trade;
  money: readonly Money[];
  /** What its payer may do now. */
  actions: readonly CashierAction[];
}

/** Who has the page's address may pay: the sandbox's own end of a payment. */
export function createCashier(db: Db) {
  return {
    async show(tradeId: string): Promise<ShownTrade | null> {
      const trade = await selectTradeNow(db, tradeId);
      if (!trade) return null;
      const money = trade.state === 'PAID' ? await selectMoneyOf(db, tradeId) : [];
      return { trade, money, actions: actionsOf(trade, trade.at) };
    },

    /** Does what the payer chose. `stale` where the trade does not allow it (any more) or the form is not this page's own; then nothing was done. */
    act: (tradeId: string, action: CashierAction, formToken: string): Promise<'done' | 'stale' | 'missing'> =>
      inTransaction(db, async (tx) => {
        const trade = await selectTradeForUpdate(tx, tradeId);
        if (!trade) return 'missing';
        const { at } = trade;
        if (!isSame(formToken, trade.formToken) || !actionsOf(trade, at).includes(action)) return 'stale';
        await steps[action](tx, trade, at);
        return 'done';
      }),
  };
}

function actionsOf(trade: Trade, at: Date): readonly CashierAction[] {
  if (trade.state === 'PAID') return refundModes.filter((mode) => mode !== trade.refunds);
  if (trade.state === 'FAILED' || trade.lateAt !== null) return [];
  return trade.state === 'CLOSED' || at >= trade.expiresAt ? ['late'] : payActions;
}

type Step = (tx: Tx, trade: Trade, at: Date) => Promise<void>;

const paying =
  (times: number, telling: { copies?: number; delayMs?: number } = {}): Step =>
  (tx, trade, at) =>
    takeMoney(tx, trade, { at, times, ...telling });

const choosing =
  (refunds: (typeof refundModes)[number]): Step =>
  (tx, trade) =>
    updateTrade(tx, trade.id, { refunds });

const steps: Readonly<Record<CashierAction, Step>> = {
  approve: paying(1),
  slow: paying(1, { delayMs: SLOW_MS }),
  duplicate: paying(1, { copies: COPIES }),
  double: paying(2),
  async late(tx, trade, at) {
    const lateAt = new Date(Math.max(trade.expiresAt.getTime() + LATE_MS, at.getTime()));
    await updateTrade(tx, trade.id, { lateAt });
  },
  async decline(tx, trade, at) {
    await updateTrade(tx, trade.id, { state: 'FAILED' });
    await insertNotices(tx, noticesOf(trade, { status: 'FAILED' }, { at }));
  },
  accept: choosing('accept'),
  refuse: choosing('refuse'),
  later: choosing('later'),
};

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
