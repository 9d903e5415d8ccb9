import type { ReadingWords } from '@/components/ReadingText';

const words: ReadingWords = {
  title: '在工坊中编辑文件',
  since: '最近更新：',
  day: '2026-11-21',
  intro: '工坊的文件存放在个人目录中，可以就地编辑。',
  sections: [
    {
      title: '使用终端',
      paragraphs: [
        '打开运行中工坊的终端，启动镜像自带的编辑器，例如 nano 或 vim。复制和粘贴使用您熟悉的按键；终端会随窗口大小变化，第二个标签页可以让程序与编辑器同时运行。',
      ],
    },
    {
      title: '使用编辑器插件',
      paragraphs: ['平台的运营方可以提供桌面编辑器插件。如已提供，“编辑器插件”链接会指向该插件，而不是本页。'],
    },
  ],
};

export default words;
