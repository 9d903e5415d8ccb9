import type source from '../en-US/chart';

const words: Record<keyof typeof source, string> = {
  'chart.asTable': '以表格显示',
};

export default words;
