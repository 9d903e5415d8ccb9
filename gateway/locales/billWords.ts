import type { Language } from './messages';

/** Headings of a bill as a file, in the order of its cells. */
export const billHeadings: Readonly<Record<Language, readonly string[]>> = {
  'en-US': ['Day (UTC+8)', 'Workshop', 'Size', 'Hours', 'DCU', 'Charges', 'Run'],
  'zh-CN': ['日期（UTC+8）', '工坊', '规格', '小时', 'DCU', '扣费次数', '运行编号'],
};
