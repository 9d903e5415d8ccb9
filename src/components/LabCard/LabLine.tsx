import { useText } from '@/hooks/useText';
import styles from './index.less';
import { factsOf, type Lab } from './labFacts';
import { useLiveFigures } from './useLiveFigures';

/** The live line of a lab: cost so far, rate, how long the balance lasts, what stops it and when. */
export default function LabLine({ lab, lastsUntil }: { lab: Lab; lastsUntil: string | null }) {
  const text = useText();
  const live = useLiveFigures(lab);
  return (
    <p className={styles.line}>
      <span className={styles.facts}>
        {factsOf(lab, live, lastsUntil, text).map((fact) => (
          <span key={fact.key} title={fact.exact}>
            {fact.words}
          </span>
        ))}
      </span>
    </p>
  );
}
