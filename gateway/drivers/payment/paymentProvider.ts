import type { IncomingHttpHeaders } from 'node:http';
import type { Language } from '../../locales/messages';

/** A way to pay that a provider offers. */
export interface PaymentMethod {
  method: string;
  name: Readonly<Record<Language, string>>;
}

/** What is asked to be paid. `paymentId` is ours and never used twice: asked again with it, a provider answers the same trade. */
export interface NewTrade {
  paymentId: string;
  orderNo: string;
  method: string;
  /** What the payer reads. */
  subject: Readonly<Record<Language, string>>;
  amountFen: bigint;
  currency: 'CNY';
  expiresAt: Date;
  /** Where the provider tells of money; `PUBLIC_URL` and a path of ours. */
  notifyUrl: string;
  /** Where it leads the payer afterwards. */
  returnUrl: string;
}

/** How the payer gets there: what a QR code says, and a page to be sent to. */
export interface TradeEntrance {
  qrText: string;
  redirectUrl: string;
}

/** Money a provider says it took for one of our payments. */
export interface TakenMoney {
  providerTxn: string;
  amountFen: bigint;
  currency: string;
  paidAt: Date;
}

export type TradeView =
  | ({ status: 'PAID' } & TakenMoney)
  /** MISSING: the provider has never heard of it. */
  | { status: 'WAITING' | 'FAILED' | 'CLOSED' | 'MISSING' };

/** A call of the provider's whose signature holds. What it says is still to be compared with what we asked for. */
export interface PaymentNotice {
  appId: string;
  sellerId: string;
  paymentId: string;
  trade: TradeView;
}

export interface RefundAsk {
  /** Ours and never used twice: asked again with it, a provider gives back once. */
  refundId: string;
  /** Names the money that goes back. */
  providerTxn: string;
  amountFen: bigint;
  /** What was paid with it. */
  totalFen: bigint;
  currency: 'CNY';
}

/** FAILED is the last word: this money will not go back this way. */
export type RefundVerdict = 'SUCCEEDED' | 'PENDING' | 'FAILED';

/** The provider gave no answer that can be believed; what was asked may have been done or not. */
export class ProviderUnreachable extends Error {
  override readonly name = 'ProviderUnreachable';
}

/** A notice that does not come from the provider, or cannot be read. */
export class NoticeUnbelievable extends Error {
  override readonly name = 'NoticeUnbelievable';
}

/**
 * Who takes money for us. Every call may throw `ProviderUnreachable`, is bounded in time and is never made within a transaction.
 * Money may come late, twice, for a closed trade, and be told of in any order and any number of times: the caller is ready for it.
 */
export interface PaymentProvider {
  /** Stands in the address it notifies and in every payment it takes. */
  readonly name: string;
  /** Nobody's money moves. */
  readonly isSandbox: boolean;
  readonly methods: readonly PaymentMethod[];
  /** Who we are there; a notice about somebody else's trade is not about ours. */
  readonly account: Readonly<{ appId: string; sellerId: string }>;
  create(trade: NewTrade): Promise<TradeEntrance>;
  query(paymentId: string): Promise<TradeView>;
  /** Lets nobody pay it any more; PAID: somebody has. One the provider never heard of is CLOSED. */
  close(paymentId: string): Promise<'CLOSED' | 'PAID'>;
  refund(ask: RefundAsk): Promise<RefundVerdict>;
  /** MISSING: the provider was never asked for it. */
  queryRefund(refundId: string): Promise<RefundVerdict | 'MISSING'>;
  /** Reads a notice out of the bytes as they came. Throws `NoticeUnbelievable` where signature, age or form are not right. */
  verifyNotice(rawBody: Buffer, headers: IncomingHttpHeaders): Promise<PaymentNotice>;
  /** What a notice is answered with, once what it says is kept. */
  readonly acknowledgement: Readonly<{ contentType: string; body: string }>;
}
