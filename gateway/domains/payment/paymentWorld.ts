import type { OrderPaymentCalls } from '../../contract/orderPayment';
import type { CashierAction } from '../../drivers/payment/sandbox/cashier';
import type { TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { checkInvariants } from '../ledger/invariants';
import type { OrderView } from '../order/order.presenter';
import { placeSku } from '../order/orderWorld';

type App = Pick<TestApp, 'as' | 'db' | 'services'>;
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
  return (await test.as(member).send('GET /gateway/order/find', { query: { orderId } })).data;
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
