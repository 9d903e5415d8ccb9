import type { DcuChange, DcuChangeQuery } from '@/services/account';

export type ChangeKind = DcuChange['kind'];

/** As the table's filter lists them; the compiler notices a kind that is missing. */
const kindNames: Readonly<Record<ChangeKind, true>> = {
  usage: true,
  gift: true,
  grant: true,
  purchase: true,
  refund: true,
  expiry: true,
  adjust: true,
};
export const changeKinds = Object.keys(kindNames) as ChangeKind[];

export interface ChangeFilters {
  kind?: ChangeKind;
  /** Days as the member picks them (`2026-11-21`), in the member's time zone. */
  from?: string;
  to?: string;
}

/** A day of the URL; anything else is dropped. */
export function dayFilter(raw: string): string | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(raw) && !Number.isNaN(Date.parse(raw)) ? raw : undefined;
}

/** The days of the filter as instants of the wire: from the first moment of one to the last of the other. */
export function instantsOf({ from, to }: ChangeFilters): Pick<DcuChangeQuery, 'from' | 'to'> {
  return {
    ...(from ? { from: new Date(`${from}T00:00:00.000`).toISOString() } : {}),
    ...(to ? { to: new Date(`${to}T23:59:59.999`).toISOString() } : {}),
  };
}
