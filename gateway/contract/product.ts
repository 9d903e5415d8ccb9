import { Type } from '@sinclair/typebox';
import { type CallTypes, Dcu, defineCalls, Fields, Nullable } from './contract';
import { CatalogueId, Fen } from './money';

const Sku = Fields({
  skuId: CatalogueId,
  name: Type.String(),
  description: Type.String(),
  /** What one piece brings, and what comes with it for nothing. */
  dcu: Dcu,
  bonusDcu: Dcu,
  listFen: Fen,
  /** What this member pays for one piece, before coupon and points. */
  priceFen: Fen,
  /** What students pay; null where all pay the same. */
  studentFen: Nullable(Fen),
  /** How long its DCU last; null: for ever. */
  validDays: Nullable(Type.Integer({ minimum: 1 })),
  maxQuantity: Type.Integer({ minimum: 0 }),
  /** Pieces left of a limited offer; null: not limited. */
  left: Nullable(Type.Integer({ minimum: 0 })),
});

export const productCalls = defineCalls({
  'GET /gateway/product/pick': {
    summary: 'DCU packs and other SKUs on sale, with the prices of whoever asks.',
    access: 'visitor',
    data: Fields({
      /** What an order placed now must name. */
      priceVersion: Type.Integer({ minimum: 1 }),
      isStudentPrice: Type.Boolean(),
      skus: Type.Array(Sku),
    }),
    errors: [],
  },
});

export type ProductCalls = CallTypes<typeof productCalls>;
