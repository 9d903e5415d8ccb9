import type { Db, Tx } from '../../db/client';
import type { LedgerService } from '../ledger/ledger.service';
import type { MembershipService } from '../membership/membership.service';
import type { OrderService } from '../order/order.service';
import type { PointsService } from '../points/points.service';

/** What payment asks of orders. */
export type Orders = Pick<
  OrderService,
  'get' | 'requireMine' | 'presentPayment' | 'lockOrder' | 'lockMine' | 'stateOf' | 'move' | 'fulfil'
>;

/** What a refund asks of the books of DCU. */
export type Wallets = Pick<LedgerService, 'lockWallet' | 'lockWallets' | 'settleMember' | 'lotsOf' | 'withdrawDcu' | 'grantDcu'>;

export type Points = Pick<PointsService, 'balanceOf' | 'withdrawForRefund' | 'returnForRefund'>;

export type Packages = Pick<MembershipService, 'planRefund' | 'endForRefund' | 'restoreAfterRefund'>;

/** What a refund asks of coupons. */
export interface Coupons {
  get(reader: Db | Tx, memberId: string, couponId: string): Promise<{ endsAt: Date }>;
  restore(tx: Tx, orderId: string, at: Date): Promise<boolean>;
}
