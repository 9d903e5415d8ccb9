import type { CustomPackageEntry } from './saleEntries';

/** A package of the highest level with a CPU ceiling and monthly DCU of one's own; sold with a verified real name only. */
export const customPackage: CustomPackageEntry = {
  name: { 'en-US': 'Custom', 'zh-CN': '定制版' },
  cpuCores: { min: 64, max: 512, step: 16 },
  monthlyDcu: { min: 0, max: 10_000, step: 100 },
  fenPerCoreMonth: 4_00,
  fenPerDcu: 70,
  studentPercentOff: 20,
  yearInMonths: 10,
  dcuPerHourPerCore: 2,
};
