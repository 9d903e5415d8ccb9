import { formatBytes } from './formatBytes';

describe('formatBytes', () => {
  it.each([
    ['en-US', 0, '0 bytes'],
    ['en-US', 1.5 * 1024 ** 3, '1.5 GB'],
    ['zh-CN', 0, '0 字节'],
    ['zh-CN', 512 * 1024 ** 2, '512 MB'],
  ])('writes in %s %d bytes as %s', (locale, bytes, words) => {
    expect(formatBytes(bytes, locale)).toBe(words);
  });
});
