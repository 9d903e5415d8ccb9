import type source from '../en-US/error';

const words: Record<keyof typeof source, string> = {
  'error.fallback': '操作失败，请稍后重试',
  'error.network': '无法连接到服务，请检查网络后重试。',
  'error.timeout': '服务响应超时，请稍后重试。',
  'error.loading': '内容加载失败。',
  'error.retry': '重试',
  'error.reload': '刷新页面',
  'error.chunk.title': '页面的一部分未能加载',
  'error.chunk.timeout': '加载超时：两分钟内没有收到内容，网络可能较慢。刷新页面会重新加载。',
  'error.chunk.missing': '内容缺失：收到的不是所需的内容，可能已有新版本。刷新页面即可获取。',
  'error.chunk.error': '加载出错：网络中断，或文件已不存在。刷新页面会重新加载。',
  'error.chunk.again': '您刚刚刷新过；如果仍未恢复，请检查网络，或过几分钟再来。',
  'error.crash.title': '页面未能显示',
  'error.crash': '这是我们的问题，您的内容没有丢失。刷新页面可能会恢复。',
  'error.noScript': '此页面需要 JavaScript，请在浏览器中允许后刷新。',
  'error.notFound': '抱歉，您访问的页面不存在或已被删除',
  'error.backHome': '返回首页',
  'error.noAccess': '抱歉，您没有访问权限',
};

export default words;
