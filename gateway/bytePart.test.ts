import { rangeOf } from './bytePart';

describe('a range', () => {
  it.each([
    [undefined, null],
    ['bytes=0-0', { from: 0, to: 0 }],
    ['bytes=5-', { from: 5, to: 9 }],
    ['bytes=5-100', { from: 5, to: 9 }],
    ['bytes=-3', { from: 7, to: 9 }],
    ['bytes=-100', { from: 0, to: 9 }],
    ['bytes=4-2', null],
    ['bytes=0-1,3-4', null],
    ['items=0-1', null],
    ['bytes=-', null],
  ])('%s of ten bytes is %j', (header, range) => expect(rangeOf(header, 10)).toEqual(range));

  it.each(['bytes=10-', 'bytes=99-100', 'bytes=-0'])('%s of ten bytes is refused', (header) =>
    expect(() => rangeOf(header, 10)).toThrow(expect.objectContaining({ error: 'RANGE_NOT_SATISFIABLE' })),
  );
});
