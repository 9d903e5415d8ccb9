import { useNavigate } from '@umijs/max';
import { Button, Checkbox, Input, Select } from 'antd';
import { PagedList } from '@/components/PagedList';
import { ListSkeleton } from '@/components/PagedList/ListSkeleton';
import { useCached } from '@/hooks/useCached';
import { textFilter, usePage, wordFilter } from '@/hooks/usePage';
import { useText } from '@/hooks/useText';
import { getBasicImageTree } from '@/services/image';
import { type LabImage, pageCommunityImages, starImage } from '@/services/labImage';
import { communitySorts } from '../../../../../../gateway/contract/imageStates';
import styles from '../index.less';
import { ImageCard } from './ImageCard';
import { calledOf, startPath } from './imageFacts';

interface CommunityFilters {
  keyword: string;
  framework: string;
  isStarred: 'true';
  sort: (typeof communitySorts)[number];
}

const filters = {
  keyword: textFilter(40),
  framework: textFilter(64),
  isStarred: wordFilter(['true'] as const),
  sort: wordFilter(communitySorts),
};

const load = ({ isStarred, ...query }: Parameters<typeof pageCommunityImages>[0] & { isStarred?: 'true' }) =>
  pageCommunityImages({ ...query, ...(isStarred ? { isStarred: true } : {}) });

function useCommunity() {
  return usePage<LabImage, CommunityFilters>({
    filters,
    urlPrefix: 'community.',
    load: (query) => load(query as Parameters<typeof load>[0]),
  });
}

/** What members have published: search, stars, order. */
export function CommunityTab({ onOpen }: { onOpen: (imageId: string) => void }) {
  const text = useText();
  const navigate = useNavigate();
  const page = useCommunity();
  const handleStar = async (image: LabImage) => {
    const { stars, isStarred } = await starImage(image.imageId, !image.isStarred).catch(() => image);
    page.setRows((rows) => rows.map((row) => (row.imageId === image.imageId ? { ...row, stars, isStarred } : row)));
  };
  return (
    <>
      <Tools page={page} />
      <PagedList
        page={{ ...page, isFiltered: Object.keys(page.filters).some((name) => name !== 'sort') }}
        skeleton={<ListSkeleton shape="cards" />}
        empty={{ drawing: 'bench', words: text('image.community.empty') }}
        totalWords={text('image.total', { total: page.total })}
      >
        {(images) => (
          <ul className={styles.cards} aria-label={text('image.tab.community')}>
            {images.map((image) => (
              <li key={image.imageId}>
                <ImageCard image={image} onStar={() => handleStar(image)}>
                  <div className={styles.actions}>
                    <Button
                      disabled={!image.isAvailable}
                      title={image.reason}
                      aria-label={text('image.start.name', { name: calledOf(image) })}
                      onClick={() => navigate(startPath(image.imageId))}
                    >
                      {text('image.start')}
                    </Button>
                    <Button
                      type="text"
                      aria-label={text('image.details.of', { name: calledOf(image) })}
                      onClick={() => onOpen(image.imageId)}
                    >
                      {text('image.details')}
                    </Button>
                  </div>
                </ImageCard>
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </>
  );
}

function Tools({ page }: { page: ReturnType<typeof useCommunity> }) {
  const text = useText();
  const { data } = useCached('basicTree', getBasicImageTree);
  const { keyword, framework, isStarred, sort = 'stars' } = page.filters;
  const frameworks = (data?.tree ?? []).map((one) => ({ value: one.framework, label: one.name }));
  return (
    <div className={styles.tools}>
      <Input.Search
        key={keyword ?? ''}
        defaultValue={keyword ?? ''}
        placeholder={text('image.search')}
        aria-label={text('image.search')}
        maxLength={40}
        allowClear
        onSearch={(words) => page.setFilters({ keyword: words.trim() || undefined })}
      />
      <Select
        aria-label={text('image.filter.framework')}
        style={{ minInlineSize: 160 }}
        value={framework ?? ''}
        options={[{ value: '', label: text('image.filter.everyFramework') }, ...frameworks]}
        onChange={(value) => page.setFilters({ framework: value || undefined })}
      />
      <Select
        aria-label={text('image.sort')}
        style={{ minInlineSize: 140 }}
        value={sort}
        options={communitySorts.map((one) => ({ value: one, label: text(`image.sort.${one}`) }))}
        onChange={(value) => page.setFilters({ sort: value === 'stars' ? undefined : value })}
      />
      <Checkbox
        checked={isStarred === 'true'}
        onChange={({ target }) => page.setFilters({ isStarred: target.checked ? 'true' : undefined })}
      >
        {text('image.filter.starred')}
      </Checkbox>
    </div>
  );
}
