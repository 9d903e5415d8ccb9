import { purchaseOf } from './purchaseOf';

describe('what the URL asks to buy', () => {
  it.each([
    ['?sku=dcu-100', { skuId: 'dcu-100', quantity: 1 }],
    ['?sku=dcu-100&quantity=3', { skuId: 'dcu-100', quantity: 3 }],
    ['?sku=dcu-100&quantity=0', { skuId: 'dcu-100', quantity: 1 }],
    ['?sku=dcu-100&quantity=1e3', { skuId: 'dcu-100', quantity: 1 }],
    ['?sku=dcu-100&quantity=-2', { skuId: 'dcu-100', quantity: 1 }],
    ['?package=pro', { packageId: 'pro', months: 1 }],
    ['?package=pro&months=12', { packageId: 'pro', months: 12 }],
    ['?package=pro&months=13', { packageId: 'pro', months: 1 }],
    ['?package=pro&cores=64&dcu=100', { packageId: 'pro', months: 1 }],
    ['?package=custom&months=3&cores=96&dcu=0', { packageId: 'custom', months: 3, custom: { cpuCores: 96, monthlyDcu: 0 } }],
    ['?package=custom&months=3&cores=96', null],
    ['?package=custom&cores=x&dcu=100', null],
    ['?sku=../x', null],
    ['?quantity=3', null],
    ['', null],
  ])('%s is %j', (search, purchase) => {
    expect(purchaseOf(new URLSearchParams(search))).toEqual(purchase);
  });
});
