import { isOwnRequest, isOwnUpgrade } from './crossSite';

const atelier = { publicUrl: 'https://atelier.example', isProduction: true };
const local = { publicUrl: 'http://127.0.0.1:8000', isProduction: false };
const cookie = 'sessionId=x; atelier=y';

describe('a request that acts', () => {
  it.each([
    ['our own page', { 'sec-fetch-site': 'same-origin', cookie }, true],
    ['another site', { 'sec-fetch-site': 'cross-site', cookie }, false],
    ['a sibling sub-domain', { 'sec-fetch-site': 'same-site', origin: 'https://evil.atelier.example', cookie }, false],
    ['a typed address with cookies', { 'sec-fetch-site': 'none', cookie }, false],
    ['a typed address without cookies', { 'sec-fetch-site': 'none' }, true],
    ['our own page in an old browser', { origin: 'https://atelier.example', cookie }, true],
    ['another site in an old browser', { origin: 'https://evil.example', cookie }, false],
    ['a sandboxed frame', { origin: 'null', cookie }, false],
    ['our own page by its Referer', { referer: 'https://atelier.example/login?x=1', cookie }, true],
    ['another page by its Referer', { referer: 'https://evil.example/', cookie }, false],
    ['a Referer that is no address', { referer: 'nonsense', cookie }, false],
    ['a foreign Origin beside our Referer', { origin: 'https://evil.example', referer: 'https://atelier.example/', cookie }, false],
    ['a look-alike host', { origin: 'https://atelier.example.evil.example', cookie }, false],
    ['our host over plain http', { origin: 'http://atelier.example', cookie }, false],
    ['nobody knows whom, with cookies', { cookie }, false],
    ['nobody knows whom, without cookies', {}, true],
    ['an Origin sent twice', { origin: ['https://atelier.example', 'https://evil.example'] }, false],
  ])('from %s is %p → allowed: %p', (_who, headers, isAllowed) => {
    expect(isOwnRequest(headers, atelier)).toBe(isAllowed);
  });

  it.each([
    ['the console', 'http://127.0.0.1:8000', '127.0.0.1:8000', true],
    ['the console by its other name', 'http://localhost:8000', 'localhost:8000', true],
    ['a development server that changes Host', 'http://localhost:8000', '127.0.0.1:8010', true],
    ['the lab apps beside it', 'http://localhost:8001', '127.0.0.1:8000', false],
    ['a rebound name', 'http://evil.example:8000', 'evil.example:8000', false],
    ['another machine', 'http://192.168.1.5:8000', '127.0.0.1:8000', false],
  ])('on loopback from %s (%s → %s) is allowed: %p', (_who, origin, host, isAllowed) => {
    expect(isOwnRequest({ origin, host, cookie }, local)).toBe(isAllowed);
  });
});

describe('a WebSocket upgrade', () => {
  it.each([
    ['https://atelier.example', true],
    ['https://evil.example', false],
    ['https://sub.atelier.example', false],
    ['null', false],
    ['http://localhost:8000', false],
    [undefined, false],
  ])('with Origin %s is allowed: %p', (origin, isAllowed) => {
    expect(isOwnUpgrade({ origin, host: 'atelier.example', 'sec-fetch-site': 'same-origin' }, atelier)).toBe(isAllowed);
  });
});
