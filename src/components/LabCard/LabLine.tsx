import { useText } from '@/hooks/useText';
import styles from './index.less';
import type { LabAction } from './labActions';
import { factsOf, isExtendOffered, type Lab } from './labFacts';
import { useLiveFigures } from './useLiveFigures';

interface LabLineProps {
  lab: Lab;
  lastsUntil: string | null;
  onAction: (action: LabAction) => void;
}

/** The live line of a lab: cost so far, rate, how long the balance lasts, what stops it and when, and the way to let it run longer. */
export default function LabLine({ lab, lastsUntil, onAction }: LabLineProps) {
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
        {isExtendOffered(lab) && (
          <span>
            <button
              type="button"
              data-track="extend-workshop"
              className={styles.extend}
              aria-label={text('workshop.action.extend.of', { name: lab.name })}
              onClick={() => onAction('extend')}
            >
              {text('workshop.action.extend')}
            </button>
          </span>
        )}
      </span>
    </p>
  );
}
