import { hasJustReloaded, LateChunkError, loadFailureOf } from './loadFailure';

/** Errors as webpack and its style loader make them. */
const scriptError = (type: string) => Object.assign(new Error('Loading chunk 7 failed.'), { name: 'ChunkLoadError', type });
const styleError = (type: string) =>
  Object.assign(new Error('Loading CSS chunk 7 failed.'), { code: 'CSS_CHUNK_LOAD_FAILED', type });

describe('a failed load', () => {
  it.each([
    [scriptError('timeout'), 'timeout'],
    [scriptError('missing'), 'missing'],
    [scriptError('error'), 'error'],
    [scriptError('load'), 'error'],
    [styleError('missing'), 'missing'],
    [styleError('error'), 'error'],
    [new LateChunkError(), 'timeout'],
    [new TypeError('Failed to fetch'), null],
    [undefined, null],
    ['text', null],
  ])('%s is of type %s', (error, type) => {
    expect(loadFailureOf(error)).toBe(type);
  });
});

describe('a reload', () => {
  afterEach(() => window.sessionStorage.clear());

  it.each([
    [1_000, true],
    [59_000, true],
    [61_000, false],
    [-1_000, false],
  ])('%d ms ago is recent: %s', (agoMs, isRecent) => {
    window.sessionStorage.setItem('reloadedAt', String(Date.now() - agoMs));

    expect(hasJustReloaded()).toBe(isRecent);
  });

  it('that never was is not recent', () => {
    expect(hasJustReloaded()).toBe(false);
  });
});
