import { useText } from '@/hooks/useText';
import { type Framework, firstOf, placeOf, reasonAgainstAll, variantsOf } from './imageTree';
import OptionCard from './OptionCard';
import styles from './optionCard.less';

interface ImagePickerProps {
  tree: readonly Framework[];
  value?: string;
  onChange?: (imageId: string) => void;
}

/** The environment: a framework, then its version and variant where there is more than one. */
export default function ImagePicker({ tree, value, onChange }: ImagePickerProps) {
  const text = useText();
  if (tree.length === 0) return <p>{text('workshop.create.image.none')}</p>;
  const place = placeOf(tree, value);
  const choose = (imageId: string | undefined) => {
    if (imageId) onChange?.(imageId);
  };
  return (
    <>
      <div role="radiogroup" aria-label={text('workshop.create.image.framework')} className={styles.options}>
        {tree.map((framework) => {
          const variants = variantsOf(framework);
          const isChosen = place?.framework === framework;
          return (
            <OptionCard
              key={framework.framework}
              name="framework"
              isChosen={isChosen}
              reason={reasonAgainstAll(variants)}
              title={framework.name}
              onChoose={() => choose(firstOf(variants)?.imageId)}
            >
              <span>{(isChosen ? place.variant : firstOf(variants))?.description}</span>
            </OptionCard>
          );
        })}
      </div>
      {place && place.framework.versions.length > 1 && (
        <div role="radiogroup" aria-label={text('workshop.create.image.version')} className={styles.pills}>
          {place.framework.versions.map((version) => (
            <OptionCard
              key={version.version}
              name="version"
              isChosen={place.version === version}
              reason={reasonAgainstAll(version.variants)}
              title={version.version}
              onChoose={() => choose(firstOf(version.variants)?.imageId)}
            />
          ))}
        </div>
      )}
      {place && place.version.variants.length > 1 && (
        <div role="radiogroup" aria-label={text('workshop.create.image.variant')} className={styles.pills}>
          {place.version.variants.map((variant) => (
            <OptionCard
              key={variant.imageId}
              name="variant"
              isChosen={place.variant === variant}
              reason={variant.isAvailable ? '' : variant.reason}
              title={variant.name}
              onChoose={() => choose(variant.imageId)}
            />
          ))}
        </div>
      )}
    </>
  );
}
