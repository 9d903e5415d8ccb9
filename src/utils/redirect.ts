const LOGIN = '/login';
/** Addresses that are views of /login: whoever has just signed in is not sent there again. */
const views = [LOGIN, '/register', '/forgetpassword'];

/** The path to come back to after signing in: only a path of our own, else the fallback. Another site is never reached from here. */
export function safeRedirect(wanted: string | null | undefined, fallback = '/'): string {
  // Also spelt in escapes, in case something on the way undoes them: `/%2f` and `/%5c` begin another site's address.
  if (!wanted || !/^\/(?![/\\]|%2f|%5c)/i.test(wanted)) return fallback;
  // Browsers drop tabs and line breaks inside an address: `/\t/evil` would become `//evil`.
  if (hasControlCharacter(wanted)) return fallback;
  const path = resolved(wanted);
  return path === undefined || views.includes(path) ? fallback : wanted;
}

/** Where a visitor signs in to come back to this place. */
export function loginPath(place: { pathname: string; search?: string; hash?: string }): string {
  const wanted = `${place.pathname}${place.search ?? ''}${place.hash ?? ''}`;
  return safeRedirect(wanted, '') === '' || wanted === '/' ? LOGIN : `${LOGIN}?redirect=${encodeURIComponent(wanted)}`;
}

export function isLogin(pathname: string): boolean {
  return pathname.replace(/\/+$/, '').toLowerCase() === LOGIN;
}

/** The path as the browser will read it, dots walked and in the router's spelling; undefined where that is no path of our own. */
function resolved(wanted: string): string | undefined {
  const { origin } = window.location;
  const url = URL.canParse(wanted, origin) ? new URL(wanted, origin) : undefined;
  if (url?.origin !== origin || url.pathname.startsWith('//')) return undefined;
  return url.pathname.replace(/\/+$/, '').toLowerCase();
}

function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\u007f');
}
