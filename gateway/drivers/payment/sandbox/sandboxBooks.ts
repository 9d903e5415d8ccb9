import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '../../../db/client';
import { insertMoney, insertNotice, type Money, type Trade } from './sandboxBooks.repository';

/** Who the gateway is at the sandbox. */
export const SANDBOX_ACCOUNT = { appId: 'atelier-sandbox-app', sellerId: 'atelier-sandbox-seller' } as const;

/** What a notice says, as it goes over the wire. */
export interface NoticeBody {
  appId: string;
  sellerId: string;
  paymentId: string;
  status: 'PAID' | 'FAILED' | 'CLOSED';
  providerTxn?: string;
  amountFen?: string;
  currency?: string;
  paidAt?: string;
}

export interface Telling {
  at: Date;
  /** How often the same is told. */
  copies?: number;
  delayMs?: number;
}

/** Writes money that came for a trade, and the notices of it. */
export async function takeMoney(tx: Tx, trade: Trade, telling: Telling): Promise<Money> {
  const { amountFen, currency } = trade;
  const money = { txn: `SBX${randomBytes(12).toString('hex').toUpperCase()}`, tradeId: trade.id, amountFen, paidAt: telling.at };
  await insertMoney(tx, money);
  const said = { providerTxn: money.txn, amountFen: String(amountFen), currency, paidAt: telling.at.toISOString() };
  await tell(tx, trade, { status: 'PAID', ...said }, telling);
  return { ...money, refundedFen: 0n };
}

/** Writes notices of a trade; they are sent once this is committed. */
export async function tell(
  tx: Tx,
  trade: Trade,
  said: Omit<NoticeBody, 'appId' | 'sellerId' | 'paymentId'>,
  { at, copies = 1, delayMs = 0 }: Telling,
): Promise<void> {
  const body: NoticeBody = { ...SANDBOX_ACCOUNT, paymentId: trade.paymentId, ...said };
  const nextTryAt = new Date(at.getTime() + delayMs);
  for (let copy = 0; copy < copies; copy += 1) {
    const notice = { id: uuidv7(), tradeId: trade.id, body: JSON.stringify(body), nextTryAt, createdAt: at };
    await insertNotice(tx, notice);
  }
}
