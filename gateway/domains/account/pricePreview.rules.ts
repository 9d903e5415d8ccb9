import type { SessionUsage } from './pricePreview.repository';

const HOUR_MS = 3_600_000n;

/** What a change of prices would have made of the usage there was. Amounts are micro-DCU. */
export interface PricePreview {
  specs: { specId: string; ms: bigint; members: number; micro: bigint; newMicro: bigint }[];
  members: { username: string; micro: bigint; newMicro: bigint }[];
  micro: bigint;
  newMicro: bigint;
}

/**
 * Charges the same time at other prices: floor(rate × time), as the meter does, for each member and spec. A spec without a new price costs
 * what it cost. Members who would pay the most more come first.
 */
export function previewPrices(usage: readonly SessionUsage[], newRates: ReadonlyMap<string, bigint>): PricePreview {
  const specs = new Map<string, PricePreview['specs'][number]>();
  const members = new Map<string, PricePreview['members'][number]>();
  const sum = { micro: 0n, newMicro: 0n };
  for (const { memberId, username, specId, ms, micro } of usage) {
    const rate = newRates.get(specId);
    const newMicro = rate === undefined ? micro : (rate * ms) / HOUR_MS;
    const spec = specs.get(specId) ?? { specId, ms: 0n, members: 0, micro: 0n, newMicro: 0n };
    const member = members.get(memberId) ?? { username, micro: 0n, newMicro: 0n };
    specs.set(specId, {
      ...spec,
      ms: spec.ms + ms,
      members: spec.members + 1,
      micro: spec.micro + micro,
      newMicro: spec.newMicro + newMicro,
    });
    members.set(memberId, { ...member, micro: member.micro + micro, newMicro: member.newMicro + newMicro });
    sum.micro += micro;
    sum.newMicro += newMicro;
  }
  const rise = ({ micro, newMicro }: { micro: bigint; newMicro: bigint }) => newMicro - micro;
  const bySize = (a: bigint, b: bigint) => (a > b ? -1 : a < b ? 1 : 0);
  return {
    ...sum,
    specs: [...specs.values()].sort((a, b) => bySize(a.micro, b.micro)),
    members: [...members.values()].sort((a, b) => bySize(rise(a), rise(b))),
  };
}
