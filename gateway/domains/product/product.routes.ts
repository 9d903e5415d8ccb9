import type { FastifyInstance } from 'fastify';
import { productCalls } from '../../contract/product';
import { languageOf } from '../../locales/messages';
import { registerCalls } from '../../plugins/callRouter';
import type { ProductService } from './product.service';

export function registerProductRoutes(app: FastifyInstance, { products }: { products: ProductService }): void {
  registerCalls(app, productCalls, {
    'GET /gateway/product/pick': ({ signedIn, request }) =>
      products.pick(signedIn?.memberId ?? null, languageOf(request.headers['accept-language'])),
  });
}
