import type { AccountOverview } from '@/services/account';
import { limits } from '../../../gateway/contract/limits';

const FULL_MS = 24 * 3_600_000;
const [warnMs, urgentMs] = limits.runwayWarningsMs;

export interface RunwayGauge {
  percent: number;
  tone: 'resting' | 'calm' | 'warning' | 'urgent';
}

/** How long the balance lasts, as a line: full at a day or more. The square root keeps the last hour readable. */
export function runwayGauge(overview: Pick<AccountOverview, 'runwayMs' | 'availableDcu'> | undefined): RunwayGauge {
  if (overview === undefined) return { percent: 0, tone: 'resting' };
  if (overview.runwayMs === null) return { percent: overview.availableDcu > 0 ? 100 : 0, tone: 'resting' };
  const percent = Math.round(100 * Math.sqrt(Math.min(1, Math.max(0, overview.runwayMs) / FULL_MS)));
  if (overview.runwayMs <= urgentMs) return { percent, tone: 'urgent' };
  return { percent, tone: overview.runwayMs <= warnMs ? 'warning' : 'calm' };
}
