import type source from '../en-US/access';

const words: Record<keyof typeof source, string> = {
  'access.opens': '满足以下条件即可访问此页面：',
  'access.unknown': '您的工坊和账户不受影响。',
  'access.realName': '完成实名认证。',
  'access.student': '使用教育邮箱完成学生认证。',
  'access.level': '会员等级达到 {number} 级（{level}）或以上。',
  'access.toRealName': '去实名认证',
  'access.toStudent': '去学生认证',
  'access.toLevel': '查看会员套餐',
};

export default words;
