import { inOwnDirection } from '@/utils/language';

const two = (value: number) => String(value).padStart(2, '0');

/** A span as a clock shows it: `29:05`, `1:02:03`. What has begun of a second counts: `0:00` is nothing left. */
export function clockFigures(ms: number): string {
  const seconds = Math.ceil(Math.max(0, ms) / 1000);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const figures = hours > 0 ? `${hours}:${two(minutes)}` : String(minutes);
  return inOwnDirection(`${figures}:${two(seconds % 60)}`);
}
