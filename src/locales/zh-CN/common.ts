import type source from '../en-US/common';

const words: Record<keyof typeof source, string> = {
  'common.dcu': '{amount} DCU',
  'common.exactDcu': '精确值 {amount} DCU',
  'common.otherLanguage': 'English',
  'common.otherLanguage.hint': 'Switch to English',
  'common.toDark': '深色外观',
  'common.toLight': '浅色外观',
  'frame.signIn': '登录',
  'frame.signOut': '退出登录',
  'frame.docs': '文档中心',
  'frame.docs.short': '文档',
  'frame.editor': '编辑器插件',
  'frame.account': '我的账户',
  'frame.account.short': '账户',
  'frame.workshops': '工坊',
  'frame.more': '更多',
  'frame.skip': '跳到正文',
  'frame.about': '关于研习坊',
  'frame.navigation': '主要页面',
  'frame.offline': '您已离线，所见内容可能不是最新。',
  'frame.online': '网络已恢复。',
  'frame.memberMenu': '{name} 的账户菜单',
  'frame.running': '{count} 个工坊运行中',
  'frame.level.0': '免费版',
  'frame.level.1': '标准版',
  'frame.level.2': '专业版',
  'frame.level.3': '旗舰版',
};

export default words;
