import { spaceUnits } from './formatNumber';
import { currentLanguage, inOwnDirection } from './language';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Bytes in steps of 1024, as memory and disks are sold: `4 GB`, `512 MB`, `1.5 GB`. */
export function formatBytes(bytes: number, locale: string = currentLanguage()): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const figure = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1024 ** power);
  return inOwnDirection(spaceUnits(figure));
}
