import Cookies from 'js-cookie';
import { announceSignedOut, clearSession, hasSession, keepSession, onSignedOut } from './session';

describe('the login session', () => {
  afterEach(clearSession);

  it('is kept in the cookie sessionId, path /, for the days the gateway says', () => {
    const written = jest.spyOn(document, 'cookie', 'set');

    keepSession('selector', 7);

    const cookie = written.mock.calls[0]?.[0] ?? '';
    expect(cookie).toMatch(/^sessionId=selector; path=\/; .*sameSite=lax/);
    const days = (Date.parse(/expires=([^;]+)/.exec(cookie)?.[1] ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.99);
    expect(days).toBeLessThan(7.01);
    expect(hasSession()).toBe(true);
    written.mockRestore();
  });

  it('is forgotten', () => {
    keepSession('selector', 7);

    clearSession();

    expect(Cookies.get('sessionId')).toBeUndefined();
    expect(hasSession()).toBe(false);
  });

  it('tells who listens that nobody is signed in, until they stop listening', () => {
    const listener = jest.fn();
    const stop = onSignedOut(listener);

    announceSignedOut();
    stop();
    announceSignedOut();

    expect(listener).toHaveBeenCalledTimes(1);
  });
});
