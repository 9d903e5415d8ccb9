import type source from '../en-US/pieces';

const words: Record<keyof typeof source, string> = {
  'list.loading': '加载中',
  'list.filtered.title': '没有符合条件的内容',
  'list.filtered.words': '没有内容符合当前筛选条件，清除筛选即可查看全部。',
  'list.clear': '清除筛选',
  'list.stale': '未能刷新，显示的是此前的内容。',
  'list.pages': '分页',
  'copy.do': '复制{name}',
  'copy.done': '已复制{name}',
  'copy.byHand': '浏览器不允许在此复制，请选中后手动复制。',
  'work.elapsed': '已用时 {duration}',
  'work.leave': '您可以离开此页面，进程会继续。',
};

export default words;
