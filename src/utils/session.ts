import Cookies from 'js-cookie';

const COOKIE = 'sessionId';
const options = { path: '/', sameSite: 'lax' } as const;

type Listener = () => void;
const listeners = new Set<Listener>();

/** Keeps the selector of the login session; its secret is an HttpOnly cookie that scripts never see. */
export function keepSession(sessionId: string, expiresInDays: number): void {
  Cookies.set(COOKIE, sessionId, { ...options, expires: expiresInDays, secure: window.location.protocol === 'https:' });
}

/** Tells one login session from the next; without one, undefined. */
export function sessionSelector(): string | undefined {
  return Cookies.get(COOKIE);
}

export function hasSession(): boolean {
  return sessionSelector() !== undefined;
}

/** Forgets the login session. The page still shows its member until `announceSignedOut`. */
export function clearSession(): void {
  Cookies.remove(COOKIE, options);
}

/** Tells whoever shows the member that nobody is signed in any more. */
export function announceSignedOut(): void {
  for (const listener of listeners) listener();
}

/** Calls back when nobody is signed in any more; answers how to stop listening. */
export function onSignedOut(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
