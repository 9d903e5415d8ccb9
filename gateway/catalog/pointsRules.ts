import type { PointsRules } from './saleEntries';

/** How points are earned, and what they are worth. */
export const pointsRules: PointsRules = {
  perYuan: 1,
  fenPerPoint: 1,
  mostPercent: 50,
  checkIn: { points: 5, streakEvery: 7, streakPoints: 20 },
  monthlyBudget: 1000,
  tasks: [
    {
      taskId: 'student',
      title: { 'en-US': 'Verify that you study', 'zh-CN': '完成学生认证' },
      description: {
        'en-US': 'Confirm the mailbox of your school; student prices come with it.',
        'zh-CN': '验证学校邮箱，同时享受学生价。',
      },
      points: 200,
      path: '/main/personalCenter/accountSettings',
    },
    {
      taskId: 'real-name',
      title: { 'en-US': 'Verify your real name', 'zh-CN': '完成实名认证' },
      description: {
        'en-US': 'Needed for network access in labs, publishing and large payments.',
        'zh-CN': '实验室联网、发布作品与大额支付需要实名。',
      },
      points: 200,
      path: '/main/personalCenter/accountSettings',
    },
    {
      taskId: 'first-lab',
      title: { 'en-US': 'Run your first lab', 'zh-CN': '运行第一个实验室' },
      description: { 'en-US': 'Create a workshop and start it.', 'zh-CN': '创建一个工坊并启动它。' },
      points: 50,
      path: '/main/myLab/workshop',
    },
  ],
};
