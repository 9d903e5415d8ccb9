import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopback } from '../config';
import type { CallKey } from '../contract/contract';
import { Refusal } from '../refusal';

interface ConsoleOrigin {
  publicUrl: string;
  isProduction: boolean;
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Calls that a GET makes although they act. */
export const ACTING_GETS: ReadonlySet<CallKey> = new Set<CallKey>([
  'GET /gateway/user/sendVerificationCode',
  'GET /gateway/image/harborInfo',
]);

/** Refuses with `CROSS_SITE_REFUSED` whatever acts and was not made by our own pages; beside it, only application/json is read. */
export function registerCrossSite(app: FastifyInstance, origin: ConsoleOrigin): void {
  app.addHook('onRequest', async (request) => {
    if (isActing(request) && !isOwnRequest(request.headers, origin)) throw new Refusal('CROSS_SITE_REFUSED');
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Called by a program of somebody else's, which proves itself by a signature: neither page nor login session stand behind it. */
    isOutsideParty?: true;
  }
}

function isActing(request: FastifyRequest): boolean {
  if (request.routeOptions.config.isOutsideParty) return false;
  const key = request.routeOptions.config.call?.key;
  return !SAFE_METHODS.has(request.method) || (key !== undefined && ACTING_GETS.has(key));
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * True for a request of our own pages, or of a program that is no browser. Browsers say where a request came from in
 * Sec-Fetch-Site; older ones, and all over plain http, in Origin or Referer. A request that says nothing at all passes only without
 * cookies: then it acts for nobody.
 */
export function isOwnRequest(headers: Headers, origin: ConsoleOrigin): boolean {
  const hasCookies = headers.cookie !== undefined;
  const site = single(headers['sec-fetch-site']);
  // A request nobody's page made ('none': typed, bookmarked) may act for a visitor, not with a member's cookies.
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && !hasCookies);
  const from = single(headers.origin) ?? originOf(single(headers.referer));
  if (from !== undefined) return isConsoleOrigin(from, single(headers.host), origin);
  return !hasCookies;
}

/**
 * The check of a WebSocket upgrade: browsers always send Origin there, so an absent one is refused, and no cookie or ticket makes up
 * for another site's.
 */
export function isOwnUpgrade(headers: Headers, origin: ConsoleOrigin): boolean {
  const from = single(headers.origin);
  return from !== undefined && isConsoleOrigin(from, single(headers.host), origin);
}

/**
 * True for the console's own origin. On loopback that is also the host the browser asked for (a request can only carry such a Host
 * if it came to this machine by that name), and outside production any loopback name at the console's port (a development server).
 */
function isConsoleOrigin(from: string, host: string | undefined, { publicUrl, isProduction }: ConsoleOrigin): boolean {
  if (from === publicUrl) return true;
  if (!URL.canParse(from)) return false;
  const { protocol, hostname, port, host: fromHost } = new URL(from);
  if (!isLoopback(hostname) || protocol !== 'http:') return false;
  const own = new URL(publicUrl);
  const isSamePort = port === own.port && isLoopback(own.hostname);
  return isProduction ? fromHost === host && isSamePort : fromHost === host || isSamePort;
}

function originOf(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  return URL.canParse(url) ? new URL(url).origin : 'null';
}

/** A header that came twice has no meaning anybody agrees on: it counts as a foreign value. */
function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? 'null' : value;
}
