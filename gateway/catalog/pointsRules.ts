import type { PointsRules } from './saleEntries';

/** How points are earned, and what they are worth. */
export const pointsRules: PointsRules = {
  perYuan: 1,
  fenPerPoint: 1,
  mostPercent: 50,
  checkIn: { points: 5, streakEvery: 7, streakPoints: 20 },
  monthlyBudget: 500,
  tasks: [
    {
      taskId: 'first-lab',
      title: { 'en-US': 'Run your first lab', 'zh-CN': '运行第一个实验室' },
      description: { 'en-US': 'Create a workshop and start it.', 'zh-CN': '创建一个工坊并启动它。' },
      points: 50,
      path: '/main/myLab/workshop',
    },
  ],
};
