import type source from '../en-US/error';

const words: Record<keyof typeof source, string> = {
  'error.fallback': '操作失败，请稍后重试',
  'error.network': '无法连接到服务，请检查网络后重试。',
  'error.timeout': '服务响应超时，请稍后重试。',
  'error.loading': '内容加载失败。',
  'error.retry': '重试',
  'error.reload': '刷新页面',
  'error.chunk': '页面的一部分未能加载，可能是网络中断，或已有新版本。',
  'error.crash': '页面未能显示。这是我们的问题，您的内容没有丢失。',
  'error.notFound': '抱歉，您访问的页面不存在或已被删除。',
  'error.backHome': '返回首页',
  'error.noAccess': '抱歉，您没有访问权限。',
  'error.noAccess.hint': '升级会员等级或完成认证后可能会开放此页面。您的工坊和账户不受影响。',
};

export default words;
