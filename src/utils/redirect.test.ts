import { loginPath, safeRedirect } from './redirect';

describe('safeRedirect', () => {
  it.each(['/', '/main/myLab/workshop', '/main/myLab/workshop?state=RUNNING#top', '/loginx', '/a//b'])('allows %s', (path) => {
    expect(safeRedirect(path, '/fallback')).toBe(path);
  });

  it.each([
    '',
    null,
    undefined,
    'main',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n//evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '\\\\evil.example',
    ' /main',
    '/login',
    '/login?redirect=%2Flogin',
    '/Login/',
    '/x/../login',
    '/register',
    '/forgetPassword?a=1',
    '/%2Fevil.example',
    '/%5cevil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '%2F%2Fevil.example',
    'data:text/html,evil',
  ])('falls back from %j', (path) => {
    expect(safeRedirect(path, '/fallback')).toBe('/fallback');
  });
});

describe('loginPath', () => {
  it('remembers the page with its query and place', () => {
    expect(loginPath({ pathname: '/main', search: '?a=1&b=2', hash: '#c' })).toBe('/login?redirect=%2Fmain%3Fa%3D1%26b%3D2%23c');
  });

  it('has nothing to remember of the home page and of itself', () => {
    expect(loginPath({ pathname: '/' })).toBe('/login');
    expect(loginPath({ pathname: '/login', search: '?redirect=%2Fmain' })).toBe('/login');
  });
});
