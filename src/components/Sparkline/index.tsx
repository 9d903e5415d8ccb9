import styles from './index.less';
import { sparklinePath } from './sparklinePath';

interface SparklineProps {
  values: readonly number[];
  /** What the line shows and where it stands now, for those who cannot see it. */
  label: string;
  /** The value at the top edge, unless a value is higher. */
  max?: number;
}

const WIDTH = 96;
const HEIGHT = 24;
const INSET = 2;

/** A thin line of the last minutes; a baseline alone where there are no values yet. */
export default function Sparkline({ values, label, max = 100 }: SparklineProps) {
  const line = sparklinePath(values, WIDTH, HEIGHT - 2 * INSET, max);
  return (
    <svg className={styles.sparkline} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} preserveAspectRatio="none">
      <path d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} className={styles.base} />
      {line && (
        <g transform={`translate(0 ${INSET})`}>
          <path d={`${line}V${HEIGHT}H0Z`} className={styles.area} />
          <path d={line} className={styles.line} />
        </g>
      )}
    </svg>
  );
}
