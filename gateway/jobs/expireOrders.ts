import type { FastifyBaseLogger } from 'fastify';
import type { ExpiryReport, OrderService } from '../domains/order/order.service';
import { createLoop, type Loop } from './loop';

const EVERY_MS = 10_000;

/** Closes orders whose time to pay is over and gives back what was set aside for them. */
export function createExpireOrdersLoop({ orders, log }: { orders: OrderService; log: FastifyBaseLogger }): Loop<ExpiryReport> {
  return createLoop({ name: 'expireOrders', everyMs: EVERY_MS, log, run: () => orders.expireDue() });
}
