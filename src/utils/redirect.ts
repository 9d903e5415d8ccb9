const LOGIN = '/login';

/** The path to come back to after signing in: only a path of our own, else the fallback. Another site is never reached from here. */
export function safeRedirect(wanted: string | null | undefined, fallback = '/'): string {
  if (!wanted || !/^\/(?![/\\])/.test(wanted)) return fallback;
  // Browsers drop tabs and line breaks inside an address: `/\t/evil` would become `//evil`.
  if (hasControlCharacter(wanted)) return fallback;
  return isLogin(wanted) ? fallback : wanted;
}

/** Where a visitor signs in to come back to this place. */
export function loginPath(place: { pathname: string; search?: string; hash?: string }): string {
  const wanted = `${place.pathname}${place.search ?? ''}${place.hash ?? ''}`;
  return safeRedirect(wanted, '') === '' || wanted === '/' ? LOGIN : `${LOGIN}?redirect=${encodeURIComponent(wanted)}`;
}

function isLogin(path: string): boolean {
  return /^\/login(?:[/?#]|$)/.test(path);
}

function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\u007f');
}
