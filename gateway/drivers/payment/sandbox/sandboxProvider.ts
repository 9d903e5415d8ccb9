import { randomBytes } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Clock } from '../../../clock';
import { type Db, inTransaction, readNow, type Tx } from '../../../db/client';
import { sandboxMethods } from '../../../locales/sandboxWords';
import { NoticeUnbelievable, type PaymentProvider, type RefundAsk, type RefundVerdict, type TradeView } from '../paymentProvider';
import { type NoticeBody, SANDBOX_ACCOUNT } from './sandboxBooks';
import {
  addRefunded,
  insertRefund,
  insertTrade,
  type StoredRefund,
  selectAccount,
  selectMoneyForUpdate,
  selectMoneyOf,
  selectRefund,
  selectTrade,
  selectTradeForUpdate,
  selectTradeOfPayment,
  type Trade,
  updateRefundState,
  updateTrade,
} from './sandboxBooks.repository';
import { ACKNOWLEDGEMENT } from './sandboxNotices';
import { createKeyPair, requireSigned } from './sandboxSignature';

export const CASHIER_PATH = '/sandbox/cashier/';
const LATER_MS = 20_000;

const Notice = Type.Object({
  appId: Type.String(),
  sellerId: Type.String(),
  paymentId: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
  status: Type.Union([Type.Literal('PAID'), Type.Literal('FAILED'), Type.Literal('CLOSED')]),
  providerTxn: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  amountFen: Type.Optional(Type.String({ pattern: '^\\d{1,15}$' })),
  currency: Type.Optional(Type.String({ maxLength: 8 })),
  paidAt: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' })),
});

/**
 * A provider with which nobody's money moves, for development and demonstrations: an outside party all the same, with books of its own, a
 * cashier page behind the QR code and signed notices over HTTP.
 */
export function createSandboxProvider({ db, clock, publicUrl }: { db: Db; clock: Clock; publicUrl: string }): PaymentProvider {
  let publicKey: string | undefined;

  /** Made once for ever, so it is read once. */
  async function readPublicKey(): Promise<string> {
    publicKey ??= (await selectAccount(db, createKeyPair)).publicKey;
    return publicKey;
  }

  return {
    name: 'sandbox',
    isSandbox: true,
    methods: sandboxMethods,
    account: SANDBOX_ACCOUNT,
    acknowledgement: { contentType: 'text/plain; charset=utf-8', body: ACKNOWLEDGEMENT },

    async create({ notifyUrl, subject, ...asked }) {
      const trade = await insertTrade(db, {
        ...asked,
        subject: JSON.stringify(subject),
        id: randomBytes(32).toString('base64url'),
        formToken: randomBytes(32).toString('base64url'),
        notifyPath: new URL(notifyUrl).pathname,
      });
      const page = new URL(`${CASHIER_PATH}${trade.id}`, publicUrl).href;
      return { qrText: page, redirectUrl: page };
    },

    async query(paymentId) {
      const trade = await selectTradeOfPayment(db, paymentId);
      return trade ? viewOf(db, trade) : { status: 'MISSING' };
    },

    async close(paymentId) {
      return inTransaction(db, async (tx) => {
        const found = await selectTradeOfPayment(tx, paymentId);
        const trade = found && (await selectTradeForUpdate(tx, found.id));
        if (trade?.state === 'PAID') return 'PAID';
        if (trade?.state === 'WAITING') await updateTrade(tx, trade.id, { state: 'CLOSED' });
        return 'CLOSED';
      });
    },

    refund: (ask) => inTransaction(db, (tx) => refund(tx, ask)),
    queryRefund: (refundId) =>
      inTransaction(db, async (tx) => {
        const found = await selectRefund(tx, refundId);
        return found ? finish(tx, found) : 'MISSING';
      }),

    async verifyNotice(rawBody, headers) {
      requireSigned(rawBody, headers, await readPublicKey(), clock.nowMs());
      const { appId, sellerId, paymentId, ...said } = readNotice(rawBody);
      return { appId, sellerId, paymentId, trade: tradeOf(said) };
    },
  };
}

async function viewOf(reader: Db | Tx, trade: Trade): Promise<TradeView> {
  const [first] = await selectMoneyOf(reader, trade.id);
  if (first) {
    const { txn: providerTxn, amountFen, paidAt } = first;
    return { status: 'PAID', providerTxn, amountFen, paidAt, currency: trade.currency };
  }
  if (trade.state === 'FAILED') return { status: 'FAILED' };
  const isOver = trade.state === 'CLOSED' || (await readNow(reader)) >= trade.expiresAt;
  return { status: isOver ? 'CLOSED' : 'WAITING' };
}

async function refund(tx: Tx, { refundId, providerTxn, amountFen }: RefundAsk): Promise<RefundVerdict> {
  const money = await selectMoneyForUpdate(tx, providerTxn);
  const before = await selectRefund(tx, refundId);
  if (before) return finish(tx, before);
  const trade = money && (await selectTrade(tx, money.tradeId));
  if (!money || !trade) return 'FAILED';
  const now = await readNow(tx);
  const isRefused = trade.refunds === 'refuse' || money.refundedFen + amountFen > money.amountFen;
  const doneAt = trade.refunds === 'later' ? new Date(now.getTime() + LATER_MS) : now;
  const asked: StoredRefund = { id: refundId, txn: providerTxn, amountFen, state: 'PENDING', doneAt, createdAt: now };
  await insertRefund(tx, isRefused ? { ...asked, state: 'FAILED', doneAt: null } : asked);
  return isRefused ? 'FAILED' : finish(tx, asked);
}

/** What has become of a refund by now. */
async function finish(tx: Tx, { id, txn, amountFen, state, doneAt }: StoredRefund): Promise<RefundVerdict> {
  if (state !== 'PENDING' || doneAt === null) return state;
  await selectMoneyForUpdate(tx, txn);
  // Somebody else may have finished it while this waited for the lock.
  const now = await selectRefund(tx, id);
  if (now && now.state !== 'PENDING') return now.state;
  if (doneAt > (await readNow(tx))) return 'PENDING';
  const verdict = (await addRefunded(tx, txn, amountFen)) ? 'SUCCEEDED' : 'FAILED';
  await updateRefundState(tx, id, verdict);
  return verdict;
}

function readNotice(rawBody: Buffer): NoticeBody {
  const text = rawBody.toString('utf8');
  const body: unknown = parse(text);
  if (!Value.Check(Notice, body)) throw new NoticeUnbelievable('the notice says nothing that can be read');
  return body;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new NoticeUnbelievable('the notice is no JSON', { cause });
  }
}

function tradeOf({
  status,
  providerTxn,
  amountFen,
  currency,
  paidAt,
}: Omit<NoticeBody, 'appId' | 'sellerId' | 'paymentId'>): TradeView {
  if (status !== 'PAID') return { status };
  if (!providerTxn || !amountFen || !currency || !paidAt) throw new NoticeUnbelievable('the notice does not say what was paid');
  return { status, providerTxn, amountFen: BigInt(amountFen), currency, paidAt: new Date(paidAt) };
}
