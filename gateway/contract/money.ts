import { type TSchema, Type } from '@sinclair/typebox';

/** An amount of money: whole fen (1/100 yuan), never below nothing. */
export const Fen = Type.Integer({ minimum: 0, maximum: 100_000_000_000 });

/** Whole points. */
export const Points = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });

/** An id of the catalogue. */
export const CatalogueId = Type.String({ pattern: '^[a-z0-9][a-z0-9.-]{0,63}$' });

/** A body field that may be left out or said to be none. */
export function OptionalOrNone<T extends TSchema>(schema: T) {
  return Type.Optional(Type.Union([schema, Type.Null()]));
}
