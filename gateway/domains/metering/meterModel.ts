import type { Lot } from '../ledger/lot.rules';

/** A stretch of observed running on the wall clock and what it costs, as a difference of two floors. */
interface Stretch {
  fromMs: number;
  toMs: number;
  ranBefore: number;
  rate: bigint;
}

interface ModelLab {
  rate: bigint;
  /** The engine's truth, and how far it may go. */
  ranMs: number;
  leaseMs: number;
  observedMs: number;
  /** Where the present stretch began; null while unseen. */
  since: { atMs: number; ranMs: number } | null;
  meteredUntilMs: number;
  isOpen: boolean;
  isStopped: boolean;
}

/** What the books must say, kept without holds, leases, segments or transactions: only who ran when, and what was granted. */
export class MeterModel {
  readonly labs = new Map<string, ModelLab>();
  readonly lots: Lot[] = [];
  readonly stretches: Stretch[] = [];
  /** The clock jumped: by-lot bills are then not predicted. */
  isByLotUnknown = false;

  constructor(public nowMs: number) {}

  start(id: string, rate: bigint, leaseMs: number): void {
    this.labs.set(id, { rate, ranMs: 0, leaseMs, observedMs: 0, since: null, meteredUntilMs: 0, isOpen: true, isStopped: false });
  }

  open(): [string, ModelLab][] {
    return [...this.labs].filter(([, lab]) => lab.isOpen);
  }

  pass(ms: number): void {
    this.nowMs += ms;
    for (const [, lab] of this.open()) {
      if (lab.isStopped) continue;
      // The engine stops a lab at its lease; a lease raised afterwards does not bring it back.
      lab.isStopped = lab.ranMs + ms >= lab.leaseMs;
      lab.ranMs = Math.min(lab.ranMs + ms, lab.leaseMs);
    }
  }

  sight(id: string): void {
    const lab = this.lab(id);
    const observed = Math.max(lab.observedMs, Math.min(lab.ranMs, lab.leaseMs));
    lab.since ??= { atMs: Math.max(this.nowMs - (observed - lab.observedMs), lab.meteredUntilMs), ranMs: lab.observedMs };
    const fromMs = lab.since.atMs + lab.observedMs - lab.since.ranMs;
    const toMs = fromMs + observed - lab.observedMs;
    if (toMs > fromMs) this.stretches.push({ fromMs, toMs, ranBefore: lab.observedMs, rate: lab.rate });
    lab.observedMs = observed;
    lab.meteredUntilMs = toMs;
  }

  end(id: string): void {
    const lab = this.lab(id);
    if (lab.ranMs > lab.observedMs) this.sight(id);
    lab.isOpen = false;
  }

  usedMicro(): bigint {
    return [...this.labs.values()].reduce((sum, lab) => sum + (lab.rate * BigInt(lab.observedMs)) / 3_600_000n, 0n);
  }

  /** What is left of every lot when all usage is burnt in the order of time, soonest expiring first, cut at every bound. */
  leftOfLots(): Map<bigint, bigint> {
    const left = new Map(this.lots.map((lot) => [lot.lotId, lot.remaining]));
    const order = [...this.lots].sort(
      (a, b) => (a.expiresAtMs ?? 1e18) - (b.expiresAtMs ?? 1e18) || a.grantedAtMs - b.grantedAtMs || Number(a.lotId - b.lotId),
    );
    const bounds = [
      ...new Set([
        ...this.stretches.flatMap((s) => [s.fromMs, s.toMs]),
        ...order.flatMap((l) => [l.grantedAtMs, l.expiresAtMs ?? 0]),
      ]),
    ];
    bounds.sort((a, b) => a - b);
    let unpaid = 0n;
    bounds.forEach((from, index) => {
      const to = bounds[index + 1] ?? from;
      for (const { fromMs, toMs, ranBefore, rate } of this.stretches) {
        if (fromMs > from || toMs < to || to === from) continue;
        const cost = (at: number) => (rate * BigInt(ranBefore + at - fromMs)) / 3_600_000n;
        let due = cost(to) - cost(from);
        for (const { lotId, grantedAtMs, expiresAtMs } of order) {
          if (grantedAtMs > from || (expiresAtMs ?? to) < to) continue;
          const remaining = left.get(lotId) ?? 0n;
          const taken = remaining < due ? remaining : due;
          left.set(lotId, remaining - taken);
          due -= taken;
        }
        unpaid += due;
      }
    });
    // What a hold covered is paid by whatever is there when nothing was valid.
    for (const { lotId } of order) {
      const remaining = left.get(lotId) ?? 0n;
      const taken = remaining < unpaid ? remaining : unpaid;
      left.set(lotId, remaining - taken);
      unpaid -= taken;
    }
    return left;
  }

  private lab(id: string): ModelLab {
    const lab = this.labs.get(id);
    if (!lab) throw new Error(`the model has no lab ${id}`);
    return lab;
  }
}
