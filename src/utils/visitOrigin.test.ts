import { storeVisitOrigin, visitOrigin } from './visitOrigin';

describe('where a visit came from', () => {
  beforeEach(() => window.localStorage.clear());

  it('is stored as source and eventCode', () => {
    storeVisitOrigin('?source=campus&event=spring-2026&x=1');

    expect(window.localStorage.getItem('source')).toBe('campus');
    expect(window.localStorage.getItem('eventCode')).toBe('spring-2026');
    expect(visitOrigin()).toEqual({ source: 'campus', eventCode: 'spring-2026' });
  });

  it('stays when a later page says nothing', () => {
    storeVisitOrigin('?source=campus');

    storeVisitOrigin('');

    expect(visitOrigin()).toEqual({ source: 'campus' });
  });

  it('is cut to what a registration may carry', () => {
    storeVisitOrigin(`?source=${'s'.repeat(500)}`);

    expect(visitOrigin().source).toHaveLength(64);
  });

  it('is taken as the link says it, whatever its script, and an empty word is none', () => {
    storeVisitOrigin('?event=%E6%98%A5%E6%8B%9B%202026&source=');

    expect(visitOrigin()).toEqual({ eventCode: '春招 2026' });
  });

  it('is nothing where storage is forbidden, and the page goes on', () => {
    const denied = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(denied);
    jest.spyOn(Storage.prototype, 'getItem').mockImplementation(denied);

    expect(() => storeVisitOrigin('?source=campus')).not.toThrow();
    expect(visitOrigin()).toEqual({});
    jest.restoreAllMocks();
  });

  it('is nothing without parameters', () => {
    storeVisitOrigin('');

    expect(visitOrigin()).toEqual({});
  });
});
