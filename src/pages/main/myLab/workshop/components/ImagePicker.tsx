import { Segmented } from 'antd';
import { lazy, Suspense, useState } from 'react';
import OptionCard from '@/components/OptionCard';
import styles from '@/components/OptionCard/index.less';
import { useText } from '@/hooks/useText';
import { type Framework, firstOf, placeOf, reasonAgainstAll, variantsOf } from './imageTree';

interface ImagePickerProps {
  tree: readonly Framework[];
  value?: string;
  onChange?: (imageId: string) => void;
}

interface PillsProps {
  name: string;
  label: string;
  pills: readonly { key: string; title: string; isChosen: boolean; reason: string; imageId: string | undefined }[];
  onChoose: (imageId: string | undefined) => void;
}

/** A choice in short words; a single one is none. */
function Pills({ name, label, pills, onChoose }: PillsProps) {
  if (pills.length < 2) return null;
  return (
    <div role="radiogroup" aria-label={label} className={styles.pills}>
      {pills.map(({ key, title, isChosen, reason, imageId }) => (
        <OptionCard key={key} name={name} isChosen={isChosen} reason={reason} title={title} onChoose={() => onChoose(imageId)} />
      ))}
    </div>
  );
}

const MadeImages = lazy(() => import('./MadeImages'));

const sources = ['basic', 'mine', 'community'] as const;
type Source = (typeof sources)[number];

/** The image a lab starts from: a basic one, one's own, or one that somebody published. */
export default function ImagePicker({ tree, value, onChange }: ImagePickerProps) {
  const text = useText();
  const [source, setSource] = useState<Source | null>(null);
  // Until somebody looks elsewhere it shows where what is chosen stands; a link may have chosen it.
  const shown = source ?? (value === undefined || placeOf(tree, value) ? 'basic' : 'community');
  return (
    <>
      <Segmented<Source>
        aria-label={text('workshop.create.image.source')}
        className={styles.sources}
        value={shown}
        options={sources.map((one) => ({ value: one, label: text(`workshop.create.image.${one}`) }))}
        onChange={setSource}
      />
      {shown === 'basic' ? (
        <BasicImages tree={tree} value={value} onChange={onChange} />
      ) : (
        <Suspense>
          <MadeImages
            key={shown}
            source={shown}
            value={value}
            onChoose={(imageId) => onChange?.(imageId)}
            onOwn={() => setSource('mine')}
          />
        </Suspense>
      )}
    </>
  );
}

type BasicImagesProps = { [K in keyof ImagePickerProps]: ImagePickerProps[K] | undefined } & Pick<ImagePickerProps, 'tree'>;

/** A framework, then its version and variant where there is more than one. */
function BasicImages({ tree, value, onChange }: BasicImagesProps) {
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
              <span>
                <bdi>{(isChosen ? place.variant : firstOf(variants))?.description}</bdi>
              </span>
            </OptionCard>
          );
        })}
      </div>
      {place && (
        <>
          <Pills
            name="version"
            label={text('workshop.create.image.version')}
            pills={place.framework.versions.map((version) => ({
              key: version.version,
              title: version.version,
              isChosen: place.version === version,
              reason: reasonAgainstAll(version.variants),
              imageId: firstOf(version.variants)?.imageId,
            }))}
            onChoose={choose}
          />
          <Pills
            name="variant"
            label={text('workshop.create.image.variant')}
            pills={place.version.variants.map((variant) => ({
              key: variant.imageId,
              title: variant.name,
              isChosen: place.variant === variant,
              reason: reasonAgainstAll([variant]),
              imageId: variant.imageId,
            }))}
            onChoose={choose}
          />
        </>
      )}
    </>
  );
}
