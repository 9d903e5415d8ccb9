import type { SkuEntry } from './saleEntries';

/**
 * DCU on sale. A price changes together with `priceVersion` (`sale.ts`); what is no longer sold stays with `isRetired`, because orders
 * name it.
 */
export const skus: readonly SkuEntry[] = [
  {
    skuId: 'starter',
    name: { 'en-US': 'Starter pack · 30 DCU', 'zh-CN': '新手包 · 30 DCU' },
    description: {
      'en-US': 'Half price for a first try, one a purchase; while stocks last. Its DCU are valid for 90 days.',
      'zh-CN': '半价初次体验，每次限购一份，数量有限；DCU 有效期 90 天。',
    },
    dcu: '30',
    bonusDcu: '0',
    listFen: 15_00,
    studentFen: null,
    validDays: 90,
    maxQuantity: 1,
    stock: 500,
    isRetired: false,
  },
  pack(10, 0, 10_00, 8_00, {
    'en-US': 'For a small exercise: ten hours on two cores.',
    'zh-CN': '适合小练习：可用 2 核运行 10 小时。',
  }),
  pack(50, 0, 50_00, 40_00, {
    'en-US': 'For a course project of some weeks.',
    'zh-CN': '适合持续数周的课程项目。',
  }),
  pack(100, 5, 100_00, 80_00, {
    'en-US': 'For regular practice over a term, with 5 DCU on top.',
    'zh-CN': '适合整个学期的日常练习，另赠 5 DCU。',
  }),
  pack(500, 40, 500_00, 400_00, {
    'en-US': 'For a thesis or a team, with 40 DCU on top.',
    'zh-CN': '适合毕业设计或小组项目，另赠 40 DCU。',
  }),
  pack(1000, 120, 1000_00, 800_00, {
    'en-US': 'For long training runs, with 120 DCU on top.',
    'zh-CN': '适合长时间训练任务，另赠 120 DCU。',
  }),
];

function pack(dcu: number, bonus: number, listFen: number, studentFen: number, description: SkuEntry['description']): SkuEntry {
  return {
    skuId: `dcu-${dcu}`,
    name: { 'en-US': `${dcu} DCU`, 'zh-CN': `${dcu} DCU` },
    description,
    dcu: String(dcu),
    bonusDcu: String(bonus),
    listFen,
    studentFen,
    validDays: 365,
    maxQuantity: 20,
    stock: null,
    isRetired: false,
  };
}
