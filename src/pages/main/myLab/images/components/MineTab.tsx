import { useNavigate } from '@umijs/max';
import { Button, Input, message } from 'antd';
import { useState } from 'react';
import { PagedList } from '@/components/PagedList';
import { ListSkeleton } from '@/components/PagedList/ListSkeleton';
import { useCached } from '@/hooks/useCached';
import { textFilter, usePage } from '@/hooks/usePage';
import { usePollWhile } from '@/hooks/usePollWhile';
import { useText } from '@/hooks/useText';
import { cancelImage, getOwnImages, type LabImage, pageOwnImages, publishImage } from '@/services/labImage';
import styles from '../index.less';
import { DeleteImageDialog } from './DeleteImageDialog';
import { ImageCard } from './ImageCard';
import { calledOf, startPath } from './imageFacts';
import { PublishDialog } from './PublishDialog';

type Question = 'publish' | 'delete';

/** The member's own images in every state, with what can be done with each. */
export function MineTab({ onOpen }: { onOpen: (imageId: string) => void }) {
  const text = useText();
  const navigate = useNavigate();
  const page = usePage<LabImage, { keyword: string }>({
    filters: { keyword: textFilter(40) },
    urlPrefix: 'mine.',
    load: pageOwnImages,
  });
  const own = useCached('ownImages', getOwnImages);
  usePollWhile(page, ({ list }) => list.some(({ state }) => state === 'SAVING'));
  const [asked, setAsked] = useState<{ image: LabImage; question: Question; isOpen: boolean } | null>(null);
  const close = () => setAsked((old) => old && { ...old, isOpen: false });
  const handleDone = () => {
    close();
    page.refresh();
    own.refresh();
  };
  return (
    <>
      <div className={styles.tools}>
        <Input.Search
          key={page.filters.keyword ?? ''}
          defaultValue={page.filters.keyword ?? ''}
          placeholder={text('image.search')}
          aria-label={text('image.search')}
          maxLength={40}
          allowClear
          onSearch={(words) => page.setFilters({ keyword: words.trim() || undefined })}
        />
        {own.data && <span>{text('image.kept', { kept: own.data.kept, limit: own.data.limit })}</span>}
      </div>
      <PagedList
        page={page}
        skeleton={<ListSkeleton shape="cards" />}
        empty={{
          drawing: 'bench',
          words: text('image.mine.empty'),
          action: <Button onClick={() => navigate('/main/myLab/workshop')}>{text('image.mine.toLabs')}</Button>,
        }}
        totalWords={text('image.total', { total: page.total })}
      >
        {(images) => (
          <ul className={styles.cards} aria-label={text('image.tab.mine')}>
            {images.map((image) => (
              <li key={image.imageId}>
                <ImageCard image={image} hasState>
                  <OwnActions
                    image={image}
                    onOpen={() => onOpen(image.imageId)}
                    onAsk={(question) => setAsked({ image, question, isOpen: true })}
                    onDone={handleDone}
                  />
                </ImageCard>
              </li>
            ))}
          </ul>
        )}
      </PagedList>
      {asked && (
        <>
          <PublishDialog
            image={asked.image}
            isOpen={asked.isOpen && asked.question === 'publish'}
            onCancel={close}
            onDone={handleDone}
          />
          <DeleteImageDialog
            image={asked.image}
            isOpen={asked.isOpen && asked.question === 'delete'}
            onCancel={close}
            onDone={handleDone}
          />
        </>
      )}
    </>
  );
}

interface OwnActionsProps {
  image: LabImage;
  onOpen: () => void;
  onAsk: (question: Question) => void;
  onDone: () => void;
}

function OwnActions({ image, onOpen, onAsk, onDone }: OwnActionsProps) {
  const text = useText();
  const navigate = useNavigate();
  const [isBusy, setIsBusy] = useState(false);
  const name = calledOf(image);
  const run = async (work: () => Promise<unknown>, done: string) => {
    setIsBusy(true);
    // The request layer said what was refused; what is shown is asked for anew either way.
    const isDone = await work().then(
      () => true,
      () => false,
    );
    setIsBusy(false);
    if (isDone) message.success(done);
    onDone();
  };
  const handleCancel = () => run(() => cancelImage(image.imageId), text('image.cancelled', { name }));
  const handleTakeBack = () =>
    run(() => publishImage({ imageId: image.imageId, isPublished: false }), text('image.unpublish.done', { name }));
  if (image.state === 'SAVING') {
    return (
      <div className={styles.actions}>
        <Button loading={isBusy} onClick={handleCancel}>
          {text('image.cancel')}
        </Button>
      </div>
    );
  }
  const isReady = image.state === 'READY';
  return (
    <div className={styles.actions}>
      {isReady && (
        <Button
          disabled={!image.isAvailable}
          title={image.reason}
          aria-label={text('image.start.name', { name })}
          onClick={() => navigate(startPath(image.imageId))}
        >
          {text('image.start')}
        </Button>
      )}
      <Button type="text" aria-label={text('image.details.of', { name })} onClick={onOpen}>
        {text('image.details')}
      </Button>
      {isReady &&
        (image.publishedAt ? (
          <Button type="text" loading={isBusy} onClick={handleTakeBack}>
            {text('image.unpublish')}
          </Button>
        ) : (
          <Button type="text" onClick={() => onAsk('publish')}>
            {text('image.publish')}
          </Button>
        ))}
      <Button type="text" danger onClick={() => onAsk('delete')}>
        {text('image.delete')}
      </Button>
    </div>
  );
}
