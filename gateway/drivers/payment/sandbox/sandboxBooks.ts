import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '../../../db/client';
import { insertMoney, type NewNotice, type Trade } from './sandboxBooks.repository';

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

/** Writes that a trade was paid, so many times, and the notices of its money: they are sent once this is committed. */
export async function takeMoney(tx: Tx, trade: Trade, { times = 1, ...telling }: Telling & { times?: number }): Promise<void> {
  const { amountFen, currency } = trade;
  const txns = Array.from({ length: times }, () => `SBX${randomBytes(12).toString('hex').toUpperCase()}`);
  const notices = txns.flatMap((providerTxn) =>
    noticesOf(
      trade,
      { status: 'PAID', providerTxn, amountFen: String(amountFen), currency, paidAt: telling.at.toISOString() },
      telling,
    ),
  );
  await insertMoney(tx, trade, { txns, notices, paidAt: telling.at });
}

/** Notices of a trade, to be sent once they are written and committed. */
export function noticesOf(
  trade: Trade,
  said: Omit<NoticeBody, 'appId' | 'sellerId' | 'paymentId'>,
  { at, copies = 1, delayMs = 0 }: Telling,
): NewNotice[] {
  const body: NoticeBody = { ...SANDBOX_ACCOUNT, paymentId: trade.paymentId, ...said };
  const nextTryAt = new Date(at.getTime() + delayMs);
  return Array.from({ length: copies }, () => ({
    ...{ id: uuidv7(), tradeId: trade.id, body: JSON.stringify(body), nextTryAt, createdAt: at },
  }));
}
