import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Catalogue } from '../../catalog/catalogue';
import { createPaymentServices, registerPaymentDomain } from '../payment/paymentServices';
import type { CloseAttempts, Packages, Users } from './neighbours';
import { registerOrderRoutes } from './order.routes';
import { createOrderService, type OrderService } from './order.service';

type PaymentNeighbours = Omit<Parameters<typeof createPaymentServices>[0], 'orders'>;
type OrderNeighbours = Omit<Parameters<typeof createOrderService>[0], 'closeAttempts' | 'packages' | 'log'>;

interface CommerceNeighbours extends PaymentNeighbours {
  catalogue: Catalogue;
  users: Users;
}

/** Orders and their payment, in the order in which they need each other. */
export function createCommerceServices(
  deps: CommerceNeighbours & OrderNeighbours & { membership: Packages },
  log: FastifyBaseLogger,
) {
  // An order is closed once its attempts are, and money for an attempt fulfils its order.
  const closeAttempts: CloseAttempts = (orderId) => payment.payments.closeAttempts(orderId);
  const orders: OrderService = createOrderService({ ...deps, packages: deps.membership, closeAttempts, log });
  const payment = createPaymentServices({ ...deps, orders }, log);
  return { orders, ...payment };
}

export type CommerceServices = ReturnType<typeof createCommerceServices>;

/** The calls of orders and of paying them. */
export function registerCommerceDomain(app: FastifyInstance, services: CommerceServices): void {
  registerOrderRoutes(app, services);
  registerPaymentDomain(app, services);
}
