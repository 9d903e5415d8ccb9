import { burn, cutsWithin, type Lot, type LotUse } from '../ledger/lot.rules';
import { costMicro, type Meter, observedUntilMs } from './meter.rules';

/** A closed segment: usage of one session over one stretch of time in which the same lots were valid. */
export interface Segment {
  sessionId: string;
  workshopId: string;
  seq: number;
  fromAtMs: number;
  toAtMs: number;
  /** Run time at its end. */
  toMs: bigint;
  micro: bigint;
  uses: LotUse[];
}

export interface Settlement<L extends Lot> {
  segments: Segment[];
  /** The meters as they stand afterwards, those without a segment too. */
  meters: Meter[];
  /** The lots as they stand afterwards, in the same order. */
  lots: L[];
}

/**
 * Closes the open segments of `meters` up to what was observed, or up to `untilMs` on the wall clock, cutting them exactly where
 * a lot begins or ends to be valid, and burns `lots` (those with a remainder, in burn order) in the order of time.
 */
export function settle<L extends Lot>(
  meters: readonly Meter[],
  lots: readonly L[],
  untilMs = Number.POSITIVE_INFINITY,
): Settlement<L> {
  const segments: Segment[] = [];
  const settled = meters.map((meter) => {
    const cut = cutMeter(meter, lots, untilMs);
    segments.push(...cut.segments);
    return cut.meter;
  });
  segments.sort((a, b) => a.fromAtMs - b.fromAtMs || a.seq - b.seq || (a.sessionId < b.sessionId ? -1 : 1));
  let left: readonly L[] = lots;
  for (const segment of segments) {
    const burnt = burn(left, segment.micro, segment.fromAtMs, segment.toAtMs);
    segment.uses = burnt.uses;
    left = burnt.lots;
  }
  return { segments, meters: settled, lots: [...left] };
}

function cutMeter(meter: Meter, lots: readonly Lot[], untilMs: number): { segments: Segment[]; meter: Meter } {
  const startMs = meter.segmentFromAtMs;
  const observedUntil = observedUntilMs(meter);
  if (startMs === null || observedUntil === null) return { segments: [], meter };
  const endMs = Math.min(observedUntil, untilMs);
  const segments: Segment[] = [];
  let current = meter;
  for (const toAtMs of [...cutsWithin(lots, startMs, endMs), endMs]) {
    const fromAtMs = current.segmentFromAtMs ?? startMs;
    if (toAtMs <= fromAtMs) continue;
    const toMs = current.segmentFromMs + BigInt(toAtMs - fromAtMs);
    const cost = costMicro(meter, toMs);
    const seq = current.segmentSeq + 1;
    const { sessionId, workshopId } = meter;
    segments.push({ sessionId, workshopId, seq, fromAtMs, toAtMs, toMs, micro: cost - current.chargedMicro, uses: [] });
    const moved = { segmentSeq: seq, segmentFromMs: toMs, segmentFromAtMs: toAtMs, meteredUntilMs: toAtMs };
    current = { ...current, ...moved, chargedMicro: cost };
  }
  return { segments, meter: current };
}
