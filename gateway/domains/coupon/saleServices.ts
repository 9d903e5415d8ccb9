import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import type { Catalogue } from '../../catalog/catalogue';
import type { Db } from '../../db/client';
import { createSharedLimit } from '../../plugins/rateLimitStore';
import type { LedgerService } from '../ledger/ledger.service';
import { registerProductRoutes } from '../product/product.routes';
import { createProductService, type ProductDeps } from '../product/product.service';
import { registerCouponRoutes } from './coupon.routes';
import { createCouponService } from './coupon.service';
import { createGivingService, type GivingDeps } from './giving.service';
import { createRedeemCode } from './redeemCode.service';

/** Codes one member may try in an hour, and wrong ones from one address: a class behind one address may mistype. */
const CODES = { name: 'code', points: 20, seconds: 3600 };
const WRONG_CODES = { name: 'codeAddress', points: 60, seconds: 3600 };

interface SaleNeighbours extends Pick<GivingDeps, 'giftMembership'> {
  db: Db;
  pool: Pool;
  catalogue: Catalogue;
  ledger: LedgerService;
  users: ProductDeps['users'];
}

/** What is on sale and what is given away, in the order in which they need each other. */
export function createSaleServices({ db, pool, catalogue, ledger, users, giftMembership }: SaleNeighbours) {
  const coupons = createCouponService({ db, catalogue });
  const giving = createGivingService({ coupons, ledger, giftMembership });
  return {
    products: createProductService({ db, catalogue, users }),
    coupons,
    giving,
    redeemCode: createRedeemCode({
      ...{ db, catalogue, ledger, giving },
      perMember: createSharedLimit(pool, CODES),
      perAddress: createSharedLimit(pool, WRONG_CODES),
    }),
  };
}

/** The calls of what is on sale and of coupons. */
export function registerSaleDomain(app: FastifyInstance, services: ReturnType<typeof createSaleServices>): void {
  registerProductRoutes(app, services);
  registerCouponRoutes(app, services);
}
