import { isAddressTelling, limitedAddress } from './rateLimitAddress';

describe('the address limits count by', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::6', '2001:db8:1:2::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('of %s is %s', (ip, address) => {
    expect(limitedAddress(ip)).toBe(address);
  });

  it.each([
    ['127.0.0.1', false],
    ['127.8.9.1', false],
    ['::1', false],
    ['::ffff:127.0.0.1', false],
    ['203.0.113.7', true],
    ['2001:db8::1', true],
  ])('%s tells who asks: %p', (ip, isTelling) => {
    expect(isAddressTelling(ip)).toBe(isTelling);
  });
});
