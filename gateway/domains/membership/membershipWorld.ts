import { v7 as uuidv7 } from 'uuid';
import { type Catalogue, loadCatalogue } from '../../catalog/catalogue';
import { CUSTOM_PACKAGE_ID, type CustomParts, customCeilings } from '../../catalog/price.rules';
import { type Db, inTransaction, readNow, type Tx } from '../../db/client';
import { microFromDcu } from '../../dcu';
import { writeAppliedPayment } from '../../testing/appliedPayment';
import { buildMember } from '../../testing/factories';
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase';
import { createLedgerService, type LedgerService } from '../ledger/ledger.service';
import { creditInstants } from '../order/order.rules';
import { ceilingsOf } from './membership.rules';
import { createMembershipService, type MembershipService, type NoPackageRefund, type PackageRefund } from './membership.service';
import type { OrderedPackage } from './membershipChanges.service';

export type MembershipWorld = Awaited<ReturnType<typeof buildMembershipWorld>>;

const PAY_MS = 30 * 60_000;

export interface PlacedOrder {
  orderId: string;
  memberId: string;
  package: OrderedPackage;
  payableFen: bigint;
  upgradeCreditFen: bigint;
}

function offersOf(catalogue: Catalogue) {
  return {
    packageOf(packageId: 'standard' | 'pro' | 'max', months = 1): OrderedPackage {
      const entry = catalogue.findPackage(packageId);
      if (!entry) throw new RangeError(packageId);
      const { levelFlag, monthlyDcu } = entry;
      return {
        packageId,
        levelFlag,
        months,
        monthlyMicro: String(microFromDcu(monthlyDcu)),
        ceilings: ceilingsOf(levelFlag, null),
      };
    },
    customPackage(parts: CustomParts, months = 1): OrderedPackage {
      const ceilings = ceilingsOf(3, customCeilings(catalogue.sale.custom, parts.cpuCores));
      const monthlyMicro = String(microFromDcu(String(parts.monthlyDcu)));
      return { packageId: CUSTOM_PACKAGE_ID, levelFlag: 3, months, monthlyMicro, ceilings };
    },
  };
}

/** What stands in the tables about one member. */
function viewsOf(db: Db) {
  return {
    itemsOf: (memberId: string) =>
      db.selectFrom('purchasedPackageItem').selectAll().where('memberId', '=', memberId).orderBy('endsAt').execute(),
    periodsOf: (memberId: string) =>
      db.selectFrom('membershipPeriod').selectAll().where('memberId', '=', memberId).orderBy('startsAt').execute(),
    lotsOf: (memberId: string) => db.selectFrom('dcuLot').selectAll().where('memberId', '=', memberId).orderBy('id').execute(),
  };
}

/** A database with the books and the membership on it, and orders written the way the order domain writes them. */
export async function buildMembershipWorld(shared?: Pick<TestDatabase, 'db'>) {
  const { db, drop } = shared ? { ...shared, drop: () => Promise.resolve() } : await createTestDatabase();
  const catalogue = loadCatalogue();
  const ledger = createLedgerService({ db, settleMember: () => Promise.resolve() });
  const membership = createMembershipService({ db, ledger, catalogue });
  const newMember = async () => (await buildMember(db, { remainDcuMicro: 0n })).memberId;

  /** Places an order: plans it and reserves its credit under the wallet's lock. */
  async function place(memberId: string, bought: OrderedPackage, priceFen: bigint): Promise<PlacedOrder> {
    const orderId = uuidv7();
    return inTransaction(db, async (tx) => {
      await ledger.lockWallet(tx, memberId);
      const at = await readNow(tx);
      const plan = await membership.planOrder(tx, memberId, bought, at, creditInstants(at)[0]);
      const upgradeCreditFen = plan.creditFen < priceFen ? plan.creditFen : priceFen;
      const order = { orderId, memberId, package: bought, payableFen: priceFen - upgradeCreditFen, upgradeCreditFen };
      await insertOrder(tx, order, priceFen, at);
      if (plan.creditItemId !== null) await membership.reserveCredit(tx, { memberId, orderId, itemId: plan.creditItemId });
      return order;
    });
  }

  const pay = (order: PlacedOrder) =>
    inTransaction(db, async (tx) => {
      await ledger.lockWallet(tx, order.memberId);
      const fulfilledAt = await readNow(tx);
      await writeAppliedPayment(tx, order.orderId);
      await tx.updateTable('order').set({ state: 'FULFILLED', fulfilledAt }).where('id', '=', order.orderId).execute();
      return membership.begin(tx, order);
    });

  const buy = async (memberId: string, bought: OrderedPackage, priceFen: bigint) => {
    const order = await place(memberId, bought, priceFen);
    return { ...order, ...(await pay(order)) };
  };

  const cancel = (order: PlacedOrder) =>
    inTransaction(db, async (tx) => {
      await ledger.lockWallet(tx, order.memberId);
      const closedAt = await readNow(tx);
      await tx.updateTable('order').set({ state: 'CANCELLED', closedAt }).where('id', '=', order.orderId).execute();
      await membership.releaseCredit(tx, order.orderId);
    });

  const { refund, refuse } = refundsOf(db, ledger, membership);

  const gift = (memberId: string, packageId: string, days: number, giftKey: string = uuidv7()) =>
    inTransaction(db, (tx) => membership.gift(tx, { memberId, packageId, days, giftKey }));

  const changes = { place, pay, buy, cancel, refund, refuse, gift };
  return { db, drop, ledger, membership, catalogue, newMember, ...changes, ...offersOf(catalogue), ...viewsOf(db) };
}

/** Refunds as the payment domain makes them: each has a key of its own, for an order whose refund was refused is given back again. */
function refundsOf(db: Db, ledger: LedgerService, membership: MembershipService) {
  const last = new Map<string, { idemKey: string; memberId: string; at: Date }>();

  /** What a refund does to the package: plan, take the DCU, end it; or why it cannot be refunded. */
  const refund = ({ orderId, memberId }: { orderId: string; memberId: string }) =>
    inTransaction(db, async (tx) => {
      await ledger.lockWallet(tx, memberId);
      const at = await readNow(tx);
      const plan = await membership.planRefund(tx, orderId, at);
      if (typeof plan === 'string') return plan;
      const { uses } = plan;
      const idemKey = `test-refund:${uuidv7()}`;
      const key = { idemKey, refType: 'order', refId: orderId };
      if (uses.length > 0) await ledger.withdrawDcu(tx, { memberId, kind: 'refund', uses, ...key });
      await membership.endForRefund(tx, orderId);
      last.set(orderId, { idemKey, memberId, at });
      return plan;
    });

  /** The order's last refund is refused: package and DCU come back with the time they had left. */
  const refuse = (orderId: string) =>
    inTransaction(db, async (tx) => {
      const refused = last.get(orderId);
      if (!refused) throw new RangeError(orderId);
      const { idemKey, memberId } = refused;
      await ledger.lockWallet(tx, memberId);
      const pausedMs = (await readNow(tx)).getTime() - refused.at.getTime();
      await membership.restoreAfterRefund(tx, orderId);
      const uses = tx
        .selectFrom('lotUse')
        .innerJoin('ledgerTx', 'ledgerTx.id', 'lotUse.txId')
        .innerJoin('dcuLot', 'dcuLot.id', 'lotUse.lotId')
        .select(['lotUse.amount', 'dcuLot.expiresAt'])
        .where('ledgerTx.idemKey', '=', idemKey);
      for (const [index, { amount: micro, expiresAt }] of (await uses.execute()).entries()) {
        await ledger.grantDcu(tx, {
          ...{ memberId, micro, kind: 'refund', source: 'refund', orderId, refType: 'order', refId: orderId },
          expiresAt: expiresAt && new Date(expiresAt.getTime() + pausedMs),
          idemKey: `${idemKey}:back:${index + 1}`,
        });
      }
    });

  return { refund, refuse };
}

/** A refund that is possible. */
export function possible(refund: PackageRefund | NoPackageRefund): PackageRefund {
  if (typeof refund === 'string') throw new Error(`no refund: ${refund}`);
  return refund;
}

async function insertOrder(tx: Tx, order: PlacedOrder, listFen: bigint, at: Date): Promise<void> {
  const { orderId, memberId, payableFen, upgradeCreditFen } = order;
  const nothing = { micro: '0', bonusMicro: '0', couponMicro: '0', validDays: null, couponValidDays: null };
  const offer = { ...nothing, package: { ...order.package, creditItemId: null }, plan: null };
  await tx
    .insertInto('order')
    .values({
      id: orderId,
      orderNo: String(BigInt(`0x${orderId.replaceAll('-', '')}`) % 10n ** 20n).padStart(20, '0'),
      memberId,
      kind: 'PACKAGE',
      productId: order.package.packageId,
      quantity: 1,
      title: JSON.stringify({ 'en-US': 'A package', 'zh-CN': '套餐' }),
      offer: JSON.stringify(offer),
      priceVersion: 1,
      isLimited: false,
      listFen,
      studentDiscountFen: 0n,
      upgradeCreditFen,
      couponDiscountFen: 0n,
      pointsDiscountFen: 0n,
      payableFen,
      pointsUsed: 0n,
      couponId: null,
      placedAt: at,
      payUntil: new Date(at.getTime() + PAY_MS),
      fulfilledAt: null,
      closedAt: null,
    })
    .execute();
}
