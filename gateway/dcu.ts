/** One DCU in the ledger's unit. */
export const MICRO_PER_DCU = 1_000_000n;

/** Micro-DCU → the wire's JSON number of DCU, exact to six decimals below 9 billion DCU. */
export function dcuFromMicro(micro: bigint): number {
  return Number(micro) / Number(MICRO_PER_DCU);
}

/** The catalogue's decimal string (`'0.5'`) → micro-DCU; throws on more than six decimals. */
export function microFromDcu(decimal: string): bigint {
  const match = /^(\d+)(?:\.(\d{1,6}))?$/.exec(decimal);
  if (!match) throw new RangeError(`not a DCU amount: ${decimal}`);
  return BigInt(match[1] ?? '0') * MICRO_PER_DCU + BigInt((match[2] ?? '').padEnd(6, '0'));
}

/** As it is shown: three decimals truncated toward zero, trailing zeros gone. */
export function shownDcu(micro: bigint): string {
  const sign = micro < 0n ? '-' : '';
  const thousandths = (micro < 0n ? -micro : micro) / 1000n;
  const decimals = (thousandths % 1000n).toString().padStart(3, '0').replace(/0+$/, '');
  return `${thousandths === 0n ? '' : sign}${thousandths / 1000n}${decimals && `.${decimals}`}`;
}
