import { campaigns } from './campaigns';
import { customPackage } from './customPackage';
import { packages } from './packages';
import { pointsRules } from './pointsRules';
import { rewards } from './rewards';
import type { SaleEntries } from './saleEntries';
import { skus } from './skus';

/** Everything that is sold and given away. `priceVersion` grows with any change of a price, so that no order is placed at one its member never saw. */
export const sale: SaleEntries = {
  priceVersion: 1,
  skus,
  packages,
  custom: customPackage,
  campaigns,
  rewards,
  points: pointsRules,
};
