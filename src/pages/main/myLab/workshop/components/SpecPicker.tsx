import OptionCard from '@/components/OptionCard';
import styles from '@/components/OptionCard/index.less';
import { useText } from '@/hooks/useText';
import type { CpuSpec } from '@/services/workshop';
import { formatBytes } from '@/utils/formatBytes';
import { formatNumber } from '@/utils/formatNumber';
import { formatDuration, formatMoment } from '@/utils/formatTime';
import type { Text } from '@/utils/words';
import { type Balance, whatItBuys } from './price';

interface SpecPickerProps {
  specs: readonly CpuSpec[];
  /** Undefined while it is not known. */
  balance: Balance | undefined;
  value?: string;
  onChange?: (specId: string) => void;
}

/** Why a spec cannot be chosen; empty when it can. */
export function reasonAgainst(spec: CpuSpec, text: Text): string {
  if (!spec.isAllowed) {
    const level = spec.minimumLevel as 0 | 1 | 2 | 3;
    return text('workshop.create.spec.level', { level, levelName: text(`frame.level.${level}`) });
  }
  return spec.isAvailable ? '' : spec.reason;
}

function buysWords(spec: CpuSpec, balance: Balance, text: Text): string {
  const { runwayMs, until, hasEnough, heldDcu } = whatItBuys(balance, spec.dcuPerHour, new Date());
  if (!hasEnough) {
    return text('workshop.create.spec.short', { balance: formatNumber(balance.availableDcu), needed: formatNumber(heldDcu) });
  }
  if (runwayMs === null || !until) return text('workshop.create.spec.free');
  const word = balance.burnDcuPerHour > 0 ? 'workshop.create.spec.lastsShared' : 'workshop.create.spec.lasts';
  return text(word, {
    balance: formatNumber(balance.remainDcu),
    duration: formatDuration(runwayMs),
    moment: formatMoment(until.toISOString()),
  });
}

/** The sizes on offer with their price per hour and what the balance buys at it. */
export default function SpecPicker({ specs, balance, value, onChange }: SpecPickerProps) {
  const text = useText();
  if (specs.length === 0) return <p>{text('workshop.create.spec.none')}</p>;
  return (
    <div role="radiogroup" aria-label={text('workshop.create.spec')} className={styles.options}>
      {specs.map((spec) => {
        const reason = reasonAgainst(spec, text);
        const memory = text('workshop.create.spec.memory', { size: formatBytes(spec.memoryBytes) });
        const disk = text('workshop.create.spec.disk', { size: formatBytes(spec.diskBytes) });
        return (
          <OptionCard
            key={spec.specId}
            name="specId"
            isChosen={value === spec.specId}
            reason={reason}
            onChoose={() => onChange?.(spec.specId)}
            title={
              <>
                <span>{text('workshop.cores', { count: spec.cpuCores })}</span>
                <span className={styles.price}>{text('workshop.create.spec.price', { rate: formatNumber(spec.dcuPerHour) })}</span>
              </>
            }
          >
            <span>{`${memory} · ${disk}`}</span>
            {balance && !reason && <span>{buysWords(spec, balance, text)}</span>}
          </OptionCard>
        );
      })}
    </div>
  );
}
