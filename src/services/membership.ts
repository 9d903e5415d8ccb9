import { call } from '@/utils/request';
import type { MembershipCalls } from '../../gateway/contract/membership';

export type PackageOffers = MembershipCalls['GET /gateway/packageMembership/list']['data'];
export type PackageOffer = PackageOffers['packages'][number];
export type Ceilings = PackageOffers['freeCeilings'];
export type CurrentMembership = NonNullable<PackageOffers['current']>;
export type CustomPackageQuery = MembershipCalls['GET /gateway/packageMembership/custom']['query'];
export type CustomPackagePrice = MembershipCalls['GET /gateway/packageMembership/custom']['data'];
export type PurchasedItemQuery = MembershipCalls['POST /gateway/purchasedPackageItem/find']['body'];
export type PurchasedItem = MembershipCalls['POST /gateway/purchasedPackageItem/find']['data']['list'][number];

// All are silent: the page shows a failure where the answer would stand, with a retry.

export function getPackages() {
  return call('GET /gateway/packageMembership/list', {}, { isSilent: true });
}

export function priceCustomPackage(query: CustomPackageQuery) {
  return call('GET /gateway/packageMembership/custom', { query }, { isSilent: true });
}

export function pagePurchasedItems(body: PurchasedItemQuery) {
  return call('POST /gateway/purchasedPackageItem/find', { body }, { isSilent: true });
}
