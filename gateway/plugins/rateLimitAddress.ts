import { isIPv6 } from 'node:net';

/** What limits count an address by: an IPv4 address itself, an IPv6 one by its /64, which is what one household or host has. */
export function limitedAddress(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped?.[1]) return mapped[1];
  if (!isIPv6(ip)) return ip;
  const [address = ''] = ip.split('%', 1);
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  const full = [...groups, ...Array<string>(missing).fill('0'), ...(tail ? tail.split(':') : [])];
  return `${full
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/**
 * False for loopback, which says nothing about who asks: it is this machine's own user, or a reverse proxy that was not named in
 * TRUSTED_PROXIES and then stands for everybody. Limits by number, account and member hold there all the same.
 */
export function isAddressTelling(ip: string): boolean {
  return !(ip === '::1' || /^(::ffff:)?127\./i.test(ip));
}
