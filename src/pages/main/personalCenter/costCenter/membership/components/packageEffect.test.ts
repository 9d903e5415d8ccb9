import type { CurrentMembership } from '@/services/membership';
import { fitting } from './AmountField';
import { buyPath, packageEffect } from './packageEffect';

const ceilings = { cpuCores: 32, dcuPerHour: 40, storageGb: 200, runningLabs: 8, privateImages: 50, maxHours: 72 };
const pro: CurrentMembership = {
  levelFlag: 2,
  packageName: 'Pro',
  memberExpirationDate: '2027-01-31T00:00:00Z',
  ceilings,
  usage: { cpuCores: 0, dcuPerHour: 0, storageBytes: 0, runningLabs: 0 },
};

describe('what buying a package would do', () => {
  it.each([
    ['begins for who has none', null, { name: 'Pro', levelFlag: 2, cpuCores: 32 }, 'NEW'],
    ['begins at the free level', { ...pro, levelFlag: 0 }, { name: 'Pro', levelFlag: 2, cpuCores: 32 }, 'NEW'],
    ['lengthens the same', pro, { name: 'Pro', levelFlag: 2, cpuCores: 32 }, 'RENEW'],
    ['replaces a lower level', pro, { name: 'Max', levelFlag: 3, cpuCores: 64 }, 'UPGRADE'],
    ['waits for a higher level to end', pro, { name: 'Standard', levelFlag: 1, cpuCores: 8 }, 'QUEUE'],
    ['replaces fewer cores of the same level', pro, { name: 'Custom package', levelFlag: 2, cpuCores: 48 }, 'UPGRADE'],
    ['waits behind another of the same rank', pro, { name: 'Custom package', levelFlag: 2, cpuCores: 32 }, 'QUEUE'],
  ] as const)('%s', (_what, current, offered, effect) => {
    expect(packageEffect(current, offered)).toBe(effect);
  });

  it('leads to the checkout with what it is for', () => {
    expect(buyPath({ packageId: 'pro', months: 12 })).toBe('/main/personalCenter/costCenter/checkout?package=pro&months=12');
    expect(buyPath({ packageId: 'custom', months: 3, custom: { cpuCores: 96, monthlyDcu: 500 } })).toBe(
      '/main/personalCenter/costCenter/checkout?package=custom&cores=96&dcu=500&months=3',
    );
  });
});

describe('an amount in steps', () => {
  const cores = { min: 64, max: 512, step: 16 };

  it.each([
    [64, 64],
    [71, 64],
    [73, 80],
    [1, 64],
    [9_999, 512],
    [Number.NaN, 64],
  ])('%d becomes %d', (asked, given) => {
    expect(fitting(asked, cores)).toBe(given);
  });
});
