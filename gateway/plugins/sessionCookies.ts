import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The selector, which the console reads and clears. */
export const SELECTOR_COOKIE = 'sessionId';

export interface SessionCookies {
  /** Both parts as the browser sent them; null unless both are there. */
  read(request: FastifyRequest): { id: string; secret: string } | null;
  /** True when the browser sent either part. */
  isSent(request: FastifyRequest): boolean;
  write(reply: FastifyReply, session: { id: string; secret: string; expiresInDays: number }): void;
  clear(reply: FastifyReply): void;
}

/** The name of the secret's cookie. Under https the secret's name carries `__Host-`, so that no sibling domain can plant one. */
export function secretCookieOf({ publicUrl }: { publicUrl: string }): string {
  return publicUrl.startsWith('https:') ? '__Host-atelier' : 'atelier';
}

/** The two cookies of a login session. */
export function createSessionCookies({ publicUrl }: { publicUrl: string }): SessionCookies {
  const secure = publicUrl.startsWith('https:');
  const secretCookie = secretCookieOf({ publicUrl });
  const shared: CookieSerializeOptions = { path: '/', sameSite: 'lax', secure };

  return {
    read(request) {
      const id = request.cookies[SELECTOR_COOKIE];
      const secret = request.cookies[secretCookie];
      return id && secret ? { id, secret } : null;
    },
    isSent: (request) => request.cookies[SELECTOR_COOKIE] !== undefined || request.cookies[secretCookie] !== undefined,
    write(reply, { id, secret, expiresInDays }) {
      const lasting = { ...shared, maxAge: expiresInDays * 86_400 };
      reply.setCookie(SELECTOR_COOKIE, id, lasting);
      reply.setCookie(secretCookie, secret, { ...lasting, httpOnly: true });
    },
    clear(reply) {
      reply.clearCookie(SELECTOR_COOKIE, shared);
      reply.clearCookie(secretCookie, { ...shared, httpOnly: true });
    },
  };
}
