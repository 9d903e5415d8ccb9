export default {
  'error.fallback': '操作失败，请稍后重试',
};
