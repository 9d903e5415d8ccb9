import type { FastifyInstance } from 'fastify';
import { orderCalls } from '../../contract/order';
import { type CallHandlers, registerCalls } from '../../plugins/callRouter';
import { viewerOf } from '../../plugins/viewer';
import type { OrderService } from './order.service';
import type { Choice, Product } from './quote.service';

type Handlers = CallHandlers<typeof orderCalls>;

export function registerOrderRoutes(app: FastifyInstance, { orders }: { orders: OrderService }): void {
  registerCalls(app, orderCalls, { ...pricesOf(orders), ...changesOf(orders), ...readsOf(orders) });
}

type PriceKeys = `POST /gateway/order/${'preview' | 'estimate'}${string}`;

function pricesOf(orders: OrderService): Pick<Handlers, keyof Handlers & PriceKeys> {
  return {
    'POST /gateway/order/previewSku': ({ body, signedIn, request }) =>
      orders.quote(viewerOf(signedIn, request), { kind: 'SKU', ...body }, 'best'),
    'POST /gateway/order/estimateSkuPrice': ({ body, signedIn, request }) =>
      orders.quote(viewerOf(signedIn, request), { kind: 'SKU', ...body }, choiceOf(body)),
    'POST /gateway/order/previewPackage': ({ body, signedIn, request }) =>
      orders.quote(viewerOf(signedIn, request), { kind: 'PACKAGE', ...body }, 'best'),
    'POST /gateway/order/estimatePackagePrice': ({ body, signedIn, request }) =>
      orders.quote(viewerOf(signedIn, request), { kind: 'PACKAGE', ...body }, choiceOf(body)),
  };
}

type ChangeKeys = `POST /gateway/order/${'place' | 'cancel'}${string}`;

function changesOf(orders: OrderService): Pick<Handlers, keyof Handlers & ChangeKeys> {
  return {
    'POST /gateway/order/placeSku': ({ body, signedIn, idempotency, request }) =>
      orders.place(viewerOf(signedIn, request), placementOf({ kind: 'SKU', ...body }, body), idempotency),
    'POST /gateway/order/placePackage': ({ body, signedIn, idempotency, request }) =>
      orders.place(viewerOf(signedIn, request), placementOf({ kind: 'PACKAGE', ...body }, body), idempotency),
    'POST /gateway/order/cancel': ({ body, signedIn, idempotency, request }) =>
      orders.cancel(viewerOf(signedIn, request), { orderId: body.orderId, reason: body.reason?.trim() ?? '' }, idempotency),
  };
}

function readsOf(orders: OrderService): Omit<Handlers, (PriceKeys | ChangeKeys) & keyof Handlers> {
  return {
    'POST /gateway/order/pageFind': ({ body, signedIn, request }) => orders.page(viewerOf(signedIn, request), body),
    'GET /gateway/order/find': ({ query, signedIn, request }) => orders.get(viewerOf(signedIn, request), query.orderId),
  };
}

interface Chosen {
  couponId?: string | null;
  points?: number;
}

function choiceOf({ couponId = null, points = 0 }: Chosen): Exclude<Choice, 'best'> {
  return { couponId, points: BigInt(points) };
}

function placementOf(product: Product, body: Chosen & { expectedPayableFen: number; priceVersion: number }) {
  const { expectedPayableFen, priceVersion } = body;
  return { product, choice: choiceOf(body), expectedPayableFen, priceVersion };
}
