import { StarFilled, StarOutlined } from '@ant-design/icons';
import { Button, Progress } from 'antd';
import { type ReactNode, useId } from 'react';
import { MarkedWord } from '@/components/StateBadge';
import { useText } from '@/hooks/useText';
import type { LabImage } from '@/services/labImage';
import { formatBytes } from '@/utils/formatBytes';
import styles from '../index.less';
import { calledOf, imageMarks } from './imageFacts';

interface ImageCardProps {
  image: LabImage;
  /** The state as a badge; published images of others are always ready. */
  hasState?: boolean;
  onStar?: () => void;
  children?: ReactNode;
}

/** An image in a list: what it is, what it stands on, how far it is, and what can be done with it. */
export function ImageCard({ image, hasState = false, onStar, children }: ImageCardProps) {
  const text = useText();
  const id = useId();
  const { progress, failure } = image;
  return (
    <article className={styles.card} aria-labelledby={id}>
      <div className={styles.top}>
        <h2 id={id}>
          <bdi>{calledOf(image)}</bdi>
        </h2>
        {hasState && <MarkedWord mark={imageMarks[image.state]} word={text(`image.state.${image.state}`)} />}
        {onStar && <StarButton image={image} onStar={onStar} />}
      </div>
      <p className={styles.figures}>
        <span>{text('image.base', { name: image.base.name })}</span>
        <Owner image={image} hasState={hasState} />
      </p>
      {image.description && (
        <p className={styles.about}>
          <bdi>{image.description}</bdi>
        </p>
      )}
      {progress && (
        <div>
          <Progress
            aria-label={text('image.state.SAVING')}
            percent={progress.percent ?? 0}
            status="active"
            showInfo={progress.percent !== null}
            size="small"
          />
          <p role="status">
            <bdi>{progress.detail}</bdi>
          </p>
        </div>
      )}
      {failure && (
        <p className={styles.reason}>
          <bdi>{failure.hint}</bdi>
        </p>
      )}
      {image.state === 'READY' && (
        <p className={styles.figures}>
          {image.sizeBytes !== null && <span>{formatBytes(image.sizeBytes)}</span>}
          <span>{text('image.uses', { count: image.uses })}</span>
          {hasState && <span>{text('image.star.count', { count: image.stars })}</span>}
        </p>
      )}
      {children}
    </article>
  );
}

function Owner({ image, hasState }: { image: LabImage; hasState: boolean }) {
  const text = useText();
  if (hasState) return image.publishedAt ? <span>{text('image.publishedMark')}</span> : null;
  return <span>{image.isMine ? text('image.mineMark') : text('image.by', { owner: image.owner })}</span>;
}

function StarButton({ image, onStar }: { image: LabImage; onStar: () => void }) {
  const text = useText();
  return (
    <Button
      type="text"
      size="small"
      aria-pressed={image.isStarred}
      aria-label={text(image.isStarred ? 'image.star.take' : 'image.star.give', { name: calledOf(image) })}
      icon={image.isStarred ? <StarFilled aria-hidden /> : <StarOutlined aria-hidden />}
      onClick={onStar}
    >
      {image.stars}
    </Button>
  );
}
