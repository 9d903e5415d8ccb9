import { Tabs } from 'antd';
import { PageHeading } from '@/components/PageHeading';
import { withWords } from '@/components/withWords';
import { useUrlQuery } from '@/hooks/usePage';
import { useText } from '@/hooks/useText';
import imageEn from '@/locales/en-US/image';
import imageZh from '@/locales/zh-CN/image';
import { BasicTab } from './components/BasicTab';
import { CommunityTab } from './components/CommunityTab';
import { ImageDrawer } from './components/ImageDrawer';
import { type ImageTab, imageTabs } from './components/imageFacts';
import { MineTab } from './components/MineTab';
import { RegistryTab } from './components/RegistryTab';
import styles from './index.less';

const bodies = { basic: BasicTab, community: CommunityTab, mine: MineTab, registry: RegistryTab };

/** Images: what labs start from, what others share, one's own, and where to push container images. The tab and the image looked at stand in the URL. */
function ImagesPage() {
  const text = useText();
  const { search, writeQuery } = useUrlQuery();
  const params = new URLSearchParams(search);
  const tab: ImageTab = imageTabs.find((one) => one === params.get('tab')) ?? 'basic';
  const Body = bodies[tab];
  return (
    <div className={styles.page}>
      <PageHeading title={text('menu.myLab.images')} />
      <Tabs
        activeKey={tab}
        onChange={(next) => writeQuery({ tab: next === 'basic' ? null : next, image: null }, true)}
        items={imageTabs.map((one) => ({
          key: one,
          label: text(`image.tab.${one}`),
          children: one === tab ? <Body onOpen={(imageId) => writeQuery({ image: imageId }, true)} /> : null,
        }))}
      />
      <ImageDrawer imageId={params.get('image')} onClose={() => writeQuery({ image: null })} />
    </div>
  );
}

export default withWords(ImagesPage, { 'en-US': imageEn, 'zh-CN': imageZh });
