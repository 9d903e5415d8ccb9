import { v7 as uuidv7 } from 'uuid';
import { lesser } from '../../bigints';
import type { OrderPaymentCalls } from '../../contract/orderPayment';
import { inTransaction } from '../../db/client';
import type { CashierAction } from '../../drivers/payment/sandbox/cashier';
import type { TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import type { TestReply } from '../../testing/testClient';
import { checkInvariants } from '../ledger/invariants';
import type { OrderView } from '../order/order.presenter';
import { findOrder, placePackage, placeSku } from '../order/orderWorld';

type App = Pick<TestApp, 'as' | 'db' | 'services'>;
type RefundQuote = OrderPaymentCalls['GET /gateway/order/refundQuote']['data'];
type PaymentView = OrderPaymentCalls['POST /gateway/order/payPending']['data'];

/** The attempt to pay an order. */
export async function attemptOf(test: App, member: TestMember, orderId: string, method = 'sandbox'): Promise<PaymentView> {
  return (await test.as(member).send('POST /gateway/order/payPending', { body: { orderId, method } })).data;
}

/** What the payer chooses on the cashier page. */
export async function choose({ db, services }: Pick<TestApp, 'db' | 'services'>, paymentId: string, action: CashierAction) {
  const trade = await db
    .selectFrom('sandboxTrade')
    .select(['id', 'formToken'])
    .where('paymentId', '=', paymentId)
    .executeTakeFirstOrThrow();
  const outcome = await services.sandbox.cashier.act(trade.id, action, trade.formToken);
  if (outcome !== 'done') throw new Error(`the cashier says ${outcome}`);
}

/** Pays an order as a payer would; told by asking the provider, so that nothing need listen. */
export async function payOrder(test: App, member: TestMember, orderId: string): Promise<PaymentView> {
  const payment = await attemptOf(test, member, orderId);
  await choose(test, payment.paymentId, 'approve');
  if ((await test.services.payments.closeAttempts(orderId)) !== 'PAID') throw new Error(`order ${orderId} was not paid`);
  return payment;
}

/** An order of DCU, paid. */
export async function buySku(test: App, member: TestMember, body: Parameters<typeof placeSku>[2] = {}): Promise<OrderView> {
  const { orderId } = (await placeSku(test, member, body)).data;
  await payOrder(test, member, orderId);
  return findOrder(test, member, orderId);
}

/** The order's payments and refunds as the rows say, oldest first. */
export async function moneyOf({ db }: Pick<TestApp, 'db'>, orderId: string) {
  return {
    order: await db.selectFrom('order').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow(),
    payments: await db.selectFrom('payment').selectAll().where('orderId', '=', orderId).orderBy('id').execute(),
    refunds: await db.selectFrom('refund').selectAll().where('orderId', '=', orderId).orderBy('id').execute(),
  };
}

/** Every promise of the books that does not hold. */
export async function brokenPromises({ db }: Pick<TestApp, 'db'>): Promise<string[]> {
  const results = await checkInvariants(db);
  return results.flatMap(({ name, breaches }) => breaches.map((key) => `${name}: ${key}`));
}

/** Tells every notice that is due to a gateway that listens, once. */
export async function deliver({ services }: Pick<TestApp, 'services'>): Promise<number> {
  return services.sandbox.sendNotices();
}

/** A package, paid. */
export async function buyPackage(
  test: App,
  member: TestMember,
  body: Parameters<typeof placePackage>[2] = {},
): Promise<{ order: OrderView; paymentId: string }> {
  const { orderId } = (await placePackage(test, member, body)).data;
  const { paymentId } = await payOrder(test, member, orderId);
  return { order: await findOrder(test, member, orderId), paymentId };
}

/** What would come back of an order now. */
export async function quoteRefund(test: App, member: TestMember, orderId: string): Promise<RefundQuote> {
  return (await test.as(member).send('GET /gateway/order/refundQuote', { query: { orderId } })).data;
}

/** Gives an order back for what it brings now, or for what the test says the member saw. */
export async function giveBack(
  test: App,
  member: TestMember,
  orderId: string,
  { seenFen, headers = {} }: { seenFen?: number; headers?: Record<string, string> } = {},
): Promise<TestReply<OrderView>> {
  const expectedRefundFen = seenFen ?? (await quoteRefund(test, member, orderId)).refundFen;
  return test.as(member).send('POST /gateway/order/refund', { body: { orderId, expectedRefundFen, reason: 'enough' }, headers });
}

/** Takes DCU out of the lots of an order, those bought first, as a lab that ran would. */
export async function useDcu({ db, services }: Pick<TestApp, 'db' | 'services'>, orderId: string, micro: bigint): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { memberId } = await tx.selectFrom('order').select('memberId').where('id', '=', orderId).executeTakeFirstOrThrow();
    const lots = await tx.selectFrom('dcuLot').selectAll().where('orderId', '=', orderId).orderBy('id').execute();
    const uses: { lotId: bigint; micro: bigint }[] = [];
    let due = micro;
    for (const { id, remaining } of lots) {
      const taken = lesser(remaining, due);
      if (taken > 0n) uses.push({ lotId: id, micro: taken });
      due -= taken;
    }
    const ref = uuidv7();
    await services.ledger.withdrawDcu(tx, { memberId, kind: 'adjust', uses, idemKey: ref, refType: 'test', refId: ref });
  });
}

/** What the sandbox has given back of each money of a payment, least first. */
export async function givenBackBySandbox({ db }: Pick<TestApp, 'db'>, paymentId: string): Promise<bigint[]> {
  const money = await db
    .selectFrom('sandboxMoney')
    .innerJoin('sandboxTrade', 'sandboxTrade.id', 'sandboxMoney.tradeId')
    .select('sandboxMoney.refundedFen')
    .where('sandboxTrade.paymentId', '=', paymentId)
    .orderBy('sandboxMoney.refundedFen')
    .execute();
  return money.map(({ refundedFen }) => refundedFen);
}
