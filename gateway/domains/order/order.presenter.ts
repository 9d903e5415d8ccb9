import type { Static } from '@sinclair/typebox';
import type { Coupon as CouponContract } from '../../contract/coupon';
import type { OrderCalls } from '../../contract/order';
import { orderActionsOf } from '../../contract/orderStates';
import type { StoredOffer } from '../../db/schemaCommerce';
import { dcuFromMicro } from '../../dcu';
import type { Language } from '../../locales/messages';
import { lacksRealName } from './order.rules';
import type { StoredOrder } from './orderState.repository';
import type { ShownLine, ShownPayment, ShownRefund, WholeOrder } from './orderView.repository';
import type { Amounts } from './price.rules';
import type { Quote } from './quote.service';

export type Coupon = Static<typeof CouponContract>;
export type OrderView = OrderCalls['GET /gateway/order/find']['data'];
export type OrderListItem = OrderCalls['POST /gateway/order/pageFind']['data']['list'][number];
export type QuoteView = OrderCalls['POST /gateway/order/previewSku']['data'];

const DAY_MS = 86_400_000;

function presentAmounts(amounts: Amounts) {
  return {
    listFen: Number(amounts.listFen),
    studentDiscountFen: Number(amounts.studentDiscountFen),
    upgradeCreditFen: Number(amounts.upgradeCreditFen),
    couponDiscountFen: Number(amounts.couponDiscountFen),
    pointsDiscountFen: Number(amounts.pointsDiscountFen),
    payableFen: Number(amounts.payableFen),
  };
}

function presentLine(line: ShownLine, language: Language): QuoteView['lines'][number] {
  return { title: line.title[language], quantity: line.quantity, ...presentAmounts(line) };
}

/** What an order brings, its DCU counted from an instant. */
function presentBrings({ package: sold, plan, ...offer }: StoredOffer, from: Date): QuoteView['brings'] {
  const { validDays } = offer;
  return {
    dcu: dcuFromMicro(BigInt(offer.micro)),
    bonusDcu: dcuFromMicro(BigInt(offer.bonusMicro)),
    couponDcu: dcuFromMicro(BigInt(offer.couponMicro)),
    dcuExpireAt: validDays === null ? null : new Date(from.getTime() + validDays * DAY_MS).toISOString(),
    package: sold &&
      plan && {
        effect: plan.effect,
        levelFlag: sold.levelFlag,
        months: sold.months,
        monthlyDcu: dcuFromMicro(BigInt(sold.monthlyMicro)),
        firstDcu: dcuFromMicro(BigInt(plan.firstMicro)),
        ceilings: sold.ceilings,
        startsAt: plan.startsAt,
        endsAt: plan.endsAt,
      },
  };
}

/** A quote as the wire shows it. `presentCoupon` is how coupons are shown everywhere. */
export function presentQuote(
  quote: Quote,
  {
    language,
    earnsPoints,
    presentCoupon,
  }: { language: Language; earnsPoints: bigint; presentCoupon: (coupon: NonNullable<Quote['coupon']>) => Coupon },
): QuoteView {
  const { offer, amounts, points } = quote;
  return {
    priceVersion: quote.priceVersion,
    ...presentAmounts(amounts),
    lines: offer.lines.map((line, index) => presentLine({ ...line, ...(quote.lines[index] ?? amounts) }, language)),
    brings: presentBrings(quote.stored, quote.at),
    coupons: quote.coupons.map(({ coupon, reason, discountFen, bonusMicro }) => ({
      coupon: presentCoupon(coupon),
      isUsable: reason === null,
      reason,
      discountFen: Number(discountFen),
      bonusDcu: dcuFromMicro(bonusMicro),
    })),
    couponId: quote.coupon?.couponId ?? null,
    points: {
      used: Number(points.used),
      available: Number(points.available),
      most: Number(points.most),
      fenPerPoint: Number(points.fenPerPoint),
    },
    earnsPoints: Number(earnsPoints),
    needsRealName: lacksRealName(quote, amounts.payableFen),
  };
}

/** An order as lists show it. */
export function presentOrderRow(order: StoredOrder, language: Language): OrderListItem {
  return {
    orderId: order.id,
    orderNo: order.orderNo,
    kind: order.kind,
    state: order.state,
    title: order.title[language],
    quantity: order.quantity,
    ...presentAmounts(order),
    refundedFen: Number(order.refundedFen),
    createdAt: order.placedAt.toISOString(),
    payUntil: order.payUntil.toISOString(),
    fulfilledAt: order.fulfilledAt?.toISOString() ?? null,
    closedAt: order.closedAt?.toISOString() ?? null,
    actions: [...orderActionsOf(order.state)],
  };
}

/** The only place a whole order becomes wire. */
export function presentOrder(
  { order, lines, events, payments, refunds }: WholeOrder,
  { language, coupon }: { language: Language; coupon: Coupon | null },
): OrderView {
  return {
    ...presentOrderRow(order, language),
    lines: lines.map((line) => presentLine(line, language)),
    brings: presentBrings(order.offer, order.fulfilledAt ?? order.placedAt),
    coupon,
    pointsUsed: Number(order.pointsUsed),
    pointsEarned: Number(order.pointsEarned),
    cancelReason: order.cancelReason,
    payments: payments.map(presentPayment),
    refunds: refunds.map(presentRefund),
    timeline: events.map((event) => ({
      at: event.at.toISOString(),
      from: event.fromState,
      to: event.toState,
      reason: event.reason,
      actor: event.actor,
      evidence: event.evidence,
    })),
  };
}

export function presentPayment(payment: ShownPayment): OrderView['payments'][number] {
  return {
    paymentId: payment.id,
    orderId: payment.orderId,
    method: payment.method,
    state: payment.state,
    amountFen: Number(payment.amountFen),
    qrText: payment.qrText,
    redirectUrl: payment.redirectUrl,
    createdAt: payment.createdAt.toISOString(),
    expiresAt: payment.expiresAt.toISOString(),
  };
}

function presentRefund(refund: ShownRefund): OrderView['refunds'][number] {
  return {
    refundId: refund.id,
    reason: refund.reason,
    state: refund.state,
    amountFen: Number(refund.amountFen),
    withdrawnDcu: dcuFromMicro(refund.withdrawnMicro),
    createdAt: refund.createdAt.toISOString(),
    endedAt: refund.endedAt?.toISOString() ?? null,
  };
}
