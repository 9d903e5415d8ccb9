import { useText } from '@/hooks/useText';
import type { AccountOverview } from '@/services/account';
import { formatNumber } from '@/utils/formatNumber';
import { formatMoment } from '@/utils/formatTime';

type Runway = Pick<AccountOverview, 'availableDcu' | 'burnDcuPerHour' | 'lastsUntil' | 'runningLabs'>;

/** How long the balance lasts, as one sentence. */
export function RunwayWords({ overview }: { overview: Runway }) {
  const text = useText();
  const { lastsUntil, burnDcuPerHour, runningLabs, availableDcu } = overview;
  if (lastsUntil !== null) {
    const moment = formatMoment(lastsUntil);
    return text('balance.lasts.full', { moment, rate: formatNumber(burnDcuPerHour), labs: runningLabs });
  }
  return text(availableDcu > 0 ? 'balance.nothingRuns' : 'balance.empty');
}
