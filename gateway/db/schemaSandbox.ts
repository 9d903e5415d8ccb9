import type { ColumnType } from 'kysely';
import type { StoredWords } from './schemaCommerce';

type Defaulted<T> = ColumnType<T, T | undefined, T>;
type Json<T> = ColumnType<T, string, string>;

export interface SandboxAccountTable {
  id: Defaulted<number>;
  privateKey: string;
  publicKey: string;
  notifyOrigin: Defaulted<string | null>;
}

export interface SandboxTradeTable {
  id: string;
  paymentId: string;
  orderNo: string;
  method: string;
  subject: Json<StoredWords>;
  amountFen: bigint;
  currency: string;
  state: Defaulted<'WAITING' | 'PAID' | 'FAILED' | 'CLOSED'>;
  refunds: Defaulted<'accept' | 'refuse' | 'later'>;
  formToken: string;
  notifyPath: string;
  returnUrl: string;
  createdAt: Date;
  expiresAt: Date;
  lateAt: Defaulted<Date | null>;
}

export interface SandboxMoneyTable {
  txn: string;
  tradeId: string;
  amountFen: bigint;
  refundedFen: Defaulted<bigint>;
  paidAt: Date;
}

export interface SandboxNoticeTable {
  id: string;
  tradeId: string;
  body: string;
  tries: Defaulted<number>;
  nextTryAt: Date | null;
  acknowledgedAt: Defaulted<Date | null>;
  createdAt: Date;
}

export interface SandboxRefundTable {
  id: string;
  txn: string;
  amountFen: bigint;
  state: 'PENDING' | 'SUCCEEDED' | 'FAILED';
  doneAt: Date | null;
  createdAt: Date;
}

/** The books of the payment sandbox. */
export interface SandboxTables {
  sandboxAccount: SandboxAccountTable;
  sandboxTrade: SandboxTradeTable;
  sandboxMoney: SandboxMoneyTable;
  sandboxNotice: SandboxNoticeTable;
  sandboxRefund: SandboxRefundTable;
}
