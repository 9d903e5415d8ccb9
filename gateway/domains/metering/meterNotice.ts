import type { Tx } from '../../db/client';

interface RateChange {
  fromMicroPerHour: bigint;
  toMicroPerHour: bigint;
}

/** Something the meter did that its member is told of. */
export type MeterNotice = { sessionId: string } & (
  | { reason: 'RUNWAY_LOW'; runwayMs: number }
  | ({ reason: 'PRICE_CHANGE_ANNOUNCED'; appliesInMs: number } & RateChange)
  | ({ reason: 'PRICE_CHANGED' } & RateChange)
);

/** Writes notices in the very transaction that makes them true, so that none is lost when the gateway ends right after it. */
export type NoteMeter = (tx: Tx, notices: readonly MeterNotice[]) => Promise<void>;
