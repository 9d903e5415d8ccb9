import type { Purchase } from '@/services/order';

const catalogueId = /^[a-z0-9][a-z0-9.-]{0,63}$/;
const MOST_PIECES = 99;
const MOST_MONTHS = 12;

/** A whole number of the URL within its limits; undefined where the URL holds none. */
function count(params: URLSearchParams, name: string, min: number, max: number): number | undefined {
  const raw = params.get(name);
  if (raw === null || !/^\d{1,9}$/.test(raw)) return undefined;
  const value = Number(raw);
  return value >= min && value <= max ? value : undefined;
}

/**
 * What the URL asks to buy: `?sku=…&quantity=…`, or `?package=…&months=…` with `&cores=…&dcu=…` for a package built by
 * oneself. Null where it names nothing, so that a mistyped link leads to the choice and never to a wrong order.
 */
export function purchaseOf(params: URLSearchParams): Purchase | null {
  const skuId = params.get('sku');
  if (skuId && catalogueId.test(skuId)) return { skuId, quantity: count(params, 'quantity', 1, MOST_PIECES) ?? 1 };
  const packageId = params.get('package');
  if (!packageId || !catalogueId.test(packageId)) return null;
  const months = count(params, 'months', 1, MOST_MONTHS) ?? 1;
  if (packageId !== 'custom') return { packageId, months };
  const cpuCores = count(params, 'cores', 1, 1024);
  const monthlyDcu = count(params, 'dcu', 0, 1_000_000);
  return cpuCores === undefined || monthlyDcu === undefined ? null : { packageId, months, custom: { cpuCores, monthlyDcu } };
}
