import { parse, stringify } from './queryString';

describe('the query string', () => {
  it('leaves out what is not set and repeats lists', () => {
    expect(stringify({ current: 2, keyword: undefined, state: null, id: ['a', 'b'], isInit: true })).toBe(
      'current=2&id=a&id=b&isInit=true',
    );
  });

  it('escapes what would end a value, and reads it again', () => {
    const query = stringify({ keyword: 'a&b=c 工坊#?+' });

    expect(query).not.toMatch(/keyword=a&b/);
    expect(parse(query)).toEqual({ keyword: 'a&b=c 工坊#?+' });
  });

  it('reads every value of a repeated name', () => {
    expect(parse('id=a&state=RUNNING&id=b')).toEqual({ id: ['a', 'b'], state: 'RUNNING' });
  });
});
