import type { PackageEntry } from './saleEntries';

/** The levels on sale, by month and by year. Their ceilings are the levels' own (`contract/entitlements.ts`). */
export const packages: readonly PackageEntry[] = [
  {
    packageId: 'standard',
    levelFlag: 1,
    name: { 'en-US': 'Standard', 'zh-CN': '标准版' },
    description: {
      'en-US': 'For regular study: several labs at once, 50 GB and 30 DCU a month.',
      'zh-CN': '适合日常学习：可同时运行多个实验室，50 GB 存储，每月 30 DCU。',
    },
    monthFen: 29_00,
    yearFen: 290_00,
    studentMonthFen: 19_00,
    studentYearFen: 190_00,
    monthlyDcu: '30',
    isRetired: false,
  },
  {
    packageId: 'pro',
    levelFlag: 2,
    name: { 'en-US': 'Pro', 'zh-CN': '专业版' },
    description: {
      'en-US': 'For projects and competitions: up to 32 cores, 200 GB and 120 DCU a month.',
      'zh-CN': '适合项目与竞赛：最高 32 核，200 GB 存储，每月 120 DCU。',
    },
    monthFen: 99_00,
    yearFen: 990_00,
    studentMonthFen: 69_00,
    studentYearFen: 690_00,
    monthlyDcu: '120',
    isRetired: false,
  },
  {
    packageId: 'max',
    levelFlag: 3,
    name: { 'en-US': 'Max', 'zh-CN': '旗舰版' },
    description: {
      'en-US': 'For research groups: up to 64 cores, 1000 GB, labs of a week and 400 DCU a month.',
      'zh-CN': '适合科研团队：最高 64 核，1000 GB 存储，实验室可连续运行一周，每月 400 DCU。',
    },
    monthFen: 299_00,
    yearFen: 2990_00,
    studentMonthFen: 209_00,
    studentYearFen: 2090_00,
    monthlyDcu: '400',
    isRetired: false,
  },
];
