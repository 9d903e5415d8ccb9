import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Catalogue } from '../../catalog/catalogue';
import type { Db } from '../../db/client';
import type { Coupons, Packages, Points, Users, Wallets } from './neighbours';
import { registerOrderRoutes } from './order.routes';
import { createOrderService } from './order.service';

interface CommerceNeighbours {
  db: Db;
  catalogue: Catalogue;
  ledger: Wallets;
  coupons: Coupons;
  points: Points;
  membership: Packages;
  users: Users;
}

/** Orders and their payment, in the order in which they need each other. */
export function createCommerceServices(deps: CommerceNeighbours, log: FastifyBaseLogger) {
  // Nothing is paid before there is a provider: no order has an attempt to close.
  const orders = createOrderService({ ...deps, packages: deps.membership, closeAttempts: () => Promise.resolve('CLOSED'), log });
  return { orders };
}

export type CommerceServices = ReturnType<typeof createCommerceServices>;

/** The calls of orders and of paying them. */
export function registerCommerceDomain(app: FastifyInstance, services: CommerceServices): void {
  registerOrderRoutes(app, services);
}
