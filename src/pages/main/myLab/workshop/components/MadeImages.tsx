import { useRequest } from 'ahooks';
import { Alert, Button, Input, Skeleton } from 'antd';
import { useState } from 'react';
import OptionCard from '@/components/OptionCard';
import styles from '@/components/OptionCard/index.less';
import { useText } from '@/hooks/useText';
import { getImageDetail, getOwnImages, type LabImage, pageCommunityImages } from '@/services/labImage';

interface MadeImagesProps {
  source: 'mine' | 'community';
  value: string | undefined;
  onChoose: (imageId: string) => void;
  /** What a link has chosen is one's own. */
  onOwn: () => void;
}

const SHOWN = 12;

/** The one that is chosen is there too when a search does not find it: it came with a link, say. */
async function load(source: MadeImagesProps['source'], keyword: string, chosen: string | undefined): Promise<LabImage[]> {
  const { list } =
    source === 'mine' ? await getOwnImages() : await pageCommunityImages({ pageSize: SHOWN, ...(keyword ? { keyword } : {}) });
  if (source === 'mine' || chosen === undefined || list.some(({ imageId }) => imageId === chosen)) return list;
  const other = await getImageDetail(chosen).catch(() => null);
  return other ? [other, ...list] : list;
}

/** Images that members made, one's own or published ones, as choices. */
export default function MadeImages({ source, value, onChoose, onOwn }: MadeImagesProps) {
  const text = useText();
  const [keyword, setKeyword] = useState('');
  // What was chosen by a link stays in the list while others are looked at.
  const [first] = useState(value);
  const { data, error, loading, refresh } = useRequest(() => load(source, keyword, first), {
    refreshDeps: [source, keyword],
    onSuccess: (list) => {
      const isOwn = list.some(({ imageId, isMine, publishedAt }) => imageId === first && isMine && publishedAt === null);
      if (source === 'community' && isOwn) onOwn();
    },
    onError: () => undefined,
  });
  return (
    <>
      {source === 'community' && (
        <Input.Search
          aria-label={text('workshop.create.image.search')}
          placeholder={text('workshop.create.image.search')}
          maxLength={40}
          allowClear
          onSearch={(words) => setKeyword(words.trim())}
          // The form around it would be sent.
          onPressEnter={(event) => event.preventDefault()}
        />
      )}
      {error && (
        <Alert
          type="error"
          showIcon
          message={text('error.loading')}
          description={error.message}
          action={<Button onClick={refresh}>{text('error.retry')}</Button>}
        />
      )}
      {!data && loading && <Skeleton active title={false} paragraph={{ rows: 3 }} />}
      {data?.length === 0 && <p>{text(`workshop.create.image.${source}.none`)}</p>}
      <div role="radiogroup" aria-label={text(`workshop.create.image.${source}`)} className={styles.options}>
        {data?.map(({ imageId, name, tag, base, description, isAvailable, reason }) => (
          <OptionCard
            key={imageId}
            name="madeImage"
            isChosen={value === imageId}
            reason={isAvailable ? '' : reason}
            title={<bdi>{`${name}:${tag}`}</bdi>}
            onChoose={() => onChoose(imageId)}
          >
            <span>
              <bdi>{description || base.name}</bdi>
            </span>
          </OptionCard>
        ))}
      </div>
    </>
  );
}
