import type { OrderCalls } from '../../contract/order';
import { type Db, readNow, type Tx } from '../../db/client';
import { invalidField, Refusal } from '../../refusal';
import type { Coupons, Points, Viewer } from './neighbours';
import { type OrderView, presentOrder, presentOrderRow, presentQuote, type QuoteView } from './order.presenter';
import type { StoredOrder } from './orderState.repository';
import { pageOrders, selectMine, selectWhole } from './orderView.repository';
import type { Choice, Product, QuoteService } from './quote.service';

type PageAsk = OrderCalls['POST /gateway/order/pageFind']['body'];
type Page = OrderCalls['POST /gateway/order/pageFind']['data'];

export type OrderViewService = ReturnType<typeof createOrderViewService>;

/** What a member sees of prices and of their orders. Another member's order answers NOT_FOUND like a missing one. */
export function createOrderViewService(deps: { db: Db; coupons: Coupons; points: Pick<Points, 'earnedBy'>; quotes: QuoteService }) {
  const { db, coupons, points, quotes } = deps;
  return {
    /** Throws what the quote throws. */
    async quote(viewer: Viewer, product: Product, choice: Choice): Promise<QuoteView> {
      const quote = await quotes.quote(db, viewer.memberId, product, choice, await readNow(db));
      const { language } = viewer;
      return presentQuote(quote, {
        language,
        earnsPoints: points.earnedBy(quote.amounts.payableFen),
        presentCoupon: (coupon) => coupons.present(coupon, language),
      });
    },

    /** The whole order, as a transaction sees it when it is given. Throws NOT_FOUND. */
    async get({ memberId, language }: Viewer, orderId: string, reader: Db | Tx = db): Promise<OrderView> {
      const whole = await selectWhole(reader, memberId, orderId);
      if (!whole) throw new Refusal('NOT_FOUND');
      const { couponId } = whole.order;
      const coupon = couponId === null ? null : await coupons.get(reader, memberId, couponId);
      return presentOrder(whole, { language, coupon: coupon && coupons.present(coupon, language) });
    },

    /** The order's own row, unlocked. Throws NOT_FOUND. */
    async requireMine(memberId: string, orderId: string, reader: Db | Tx = db): Promise<StoredOrder> {
      const order = await selectMine(reader, memberId, orderId);
      if (!order) throw new Refusal('NOT_FOUND');
      return order;
    },

    /** Throws INVALID_INPUT where `to` is not after `from`. */
    async page({ memberId, language }: Viewer, ask: PageAsk): Promise<Page> {
      const { current = 1, pageSize = 10 } = ask;
      const from = ask.from ? new Date(ask.from) : null;
      const to = ask.to ? new Date(ask.to) : null;
      if (from && to && to <= from) throw invalidField('body.to', 'afterFrom');
      const filter = { memberId, state: ask.state ?? null, kind: ask.kind ?? null, from, to };
      const { rows, total } = await pageOrders(db, filter, { offset: (current - 1) * pageSize, size: pageSize });
      return { list: rows.map((row) => presentOrderRow(row, language)), total };
    },
  };
}
