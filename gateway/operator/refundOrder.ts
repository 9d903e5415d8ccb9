import type { Db } from '../db/client';
import { microFromDcu, shownDcu } from '../dcu';
import type { RefundService } from '../domains/payment/refund.service';
import { CommandRefused, defineCommand } from './command';
import { textTable } from './textTable';

const ACTION = 'order refund';

type Refunded = Awaited<ReturnType<RefundService['refund']>>;

interface RefundedOrder {
  id: string;
  memberId: string;
  orderNo: string;
  kind: string;
  state: string;
  username: string;
}

/** What goes and comes with a refund, begun or not. */
type Figures = Pick<Refunded, 'withdrawnMicro' | 'withdrawnPoints' | 'spentPointsFen' | 'returnedPoints'> & {
  fen: bigint;
  endsPackage: boolean;
  returnsCoupon: boolean;
};

export const refundOrder = defineCommand({
  name: ACTION,
  summary: 'Gives back what is unused of an order for its share of the cash paid, once for a reference.',
  options: {
    order: { kind: 'text', meaning: 'its number, twenty digits', max: 20 },
    ref: { kind: 'text', meaning: 'your reference: a second time it gives nothing more back', max: 64 },
    reason: { kind: 'text', meaning: 'why, for the member’s order and the audit', max: 200 },
    dcu: { kind: 'text', meaning: 'at most so many DCU of an order of DCU; without it all that are unused', max: 20, default: '' },
    preview: { kind: 'switch', meaning: 'only say what would go and come; nothing is changed' },
  },
  async run({ db, services, operator, say }, { order: orderNo, ref, reason, dcu, preview }) {
    const mostMicro = readDcu(dcu);
    const order = await orderByNumber(db, orderNo);
    if (mostMicro !== null && order.kind !== 'SKU')
      throw new CommandRefused(`Order ${orderNo} is one of a package; it has no --dcu.`);
    const { refunds, audit } = await services();
    if (preview) {
      const { plan, isPossible, ...also } = await refunds.tryOut(order, mostMicro);
      if (!isPossible) throw new CommandRefused(`Nothing of order ${orderNo}, which is ${order.state}, can be given back now.`);
      const figures = { ...plan, ...also, fen: plan.refundFen };
      for (const line of tableOf(`Order ${orderNo} of ${order.username} would give back now`, figures)) say(line);
      return;
    }
    const refund = await refunds.refund({
      ...{ order, reason: 'OPERATOR', expectedFen: null, mostMicro, note: reason, actor: operator.slice(0, 64) },
      idemKey: await unusedElsewhere(db, ref, order),
      record: (tx, { id }) => {
        const entry = { action: ACTION, subject: id, result: 'OK', note: `${ref}: ${reason}` } as const;
        return audit.write({ ...entry, actor: { kind: 'operator', name: operator } }, tx);
      },
    });
    const heading = refund.isNew
      ? `Order ${orderNo} of ${order.username} gives back`
      : `Nothing more was done: under ${ref}, order ${orderNo} of ${order.username} gave back before`;
    for (const line of tableOf(heading, { ...refund, fen: refund.amountFen })) say(line);
    say('');
    say(OUTCOMES[refund.state]);
  },
});

const OUTCOMES: Readonly<Record<Refunded['state'], string>> = {
  REQUESTED: 'The payment provider was not asked yet; the gateway asks it by itself.',
  SUBMITTED: 'The payment provider has it under way; the gateway goes on asking until it is done.',
  SUCCEEDED: 'It is done.',
  FAILED: 'The payment provider refused it: everything was given back to the member, and no cash went back.',
};

function tableOf(heading: string, figures: Figures): string[] {
  const { fen, withdrawnMicro, withdrawnPoints, spentPointsFen, returnedPoints, endsPackage, returnsCoupon } = figures;
  const rows = [
    { what: 'cash', amount: yuan(fen), goes: 'to the member' },
    { what: 'DCU', amount: shownDcu(withdrawnMicro), goes: 'from the member' },
    { what: 'points earned', amount: String(withdrawnPoints), goes: 'from the member' },
    { what: 'points spent already', amount: yuan(spentPointsFen), goes: 'off the cash' },
    { what: 'points paid with', amount: String(returnedPoints), goes: 'to the member' },
    { what: 'coupon', amount: returnsCoupon ? '1' : '0', goes: 'to the member' },
    { what: 'package', amount: endsPackage ? '1' : '0', goes: 'ends' },
  ];
  const moved = rows.filter(({ amount }) => amount !== '0' && amount !== yuan(0n));
  return textTable(heading, moved, ['what', 'amount', 'goes']);
}

function yuan(fen: bigint): string {
  return `¥${fen / 100n}.${String(fen % 100n).padStart(2, '0')}`;
}

function readDcu(text: string): bigint | null {
  if (text === '') return null;
  const micro = /^\d{1,9}(\.\d{1,6})?$/.test(text) ? microFromDcu(text) : 0n;
  if (micro === 0n) throw new CommandRefused(`--dcu is ${text}; it must be an amount of DCU above 0 with at most six decimals.`);
  return micro;
}

async function orderByNumber(db: Db, orderNo: string): Promise<RefundedOrder> {
  const order = await db
    .selectFrom('order')
    .innerJoin('member', 'member.id', 'order.memberId')
    .select(['order.id', 'order.memberId', 'order.orderNo', 'order.kind', 'order.state', 'member.username'])
    .where('order.orderNo', '=', orderNo)
    .executeTakeFirst();
  if (!order) throw new CommandRefused(`There is no order ${orderNo}.`);
  return order;
}

/** The key of a reference. One that was used for another order is most likely a slip of the pen. */
async function unusedElsewhere(db: Db, ref: string, order: RefundedOrder): Promise<string> {
  const idemKey = `operator:${ref}`;
  const before = await db
    .selectFrom('refund')
    .innerJoin('order', 'order.id', 'refund.orderId')
    .select(['order.id', 'order.orderNo'])
    .where('refund.idemKey', '=', idemKey)
    .executeTakeFirst();
  if (before && before.id !== order.id) throw new CommandRefused(`Under ${ref}, order ${before.orderNo} was refunded before.`);
  return idemKey;
}
