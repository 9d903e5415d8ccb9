import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Refusal } from '../refusal';
import { limitedAddress } from './rateLimitAddress';

/**
 * True for a request that reaches a route of the gateway, however its path is written: the router decodes `/%67ateway/…`, so the
 * raw URL says nothing.
 */
export function isGatewayRoute({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.url?.startsWith('/gateway/') ?? false;
}

/** No route at all, or the console's rule for all other addresses where it will hardly answer with its page. */
function isUnmatched({ is404, routeOptions, headers }: FastifyRequest): boolean {
  return is404 || (routeOptions.url === '/*' && !headers.accept?.includes('text/html'));
}

/** Payers and whoever guesses addresses reach the sandbox's cashier as visitors; what a signature vouches for is limited at its route. */
function isLimited(request: FastifyRequest): boolean {
  const { config, url } = request.routeOptions;
  if (config.isOutsideParty) return false;
  return isGatewayRoute(request) || isUnmatched(request) || (url?.startsWith('/sandbox/') ?? false);
}

/** Above the steady rate a caller may have twice as much again, spread over this long. */
const BURST_SECONDS = 10;

/**
 * Protects a gateway from floods: so many requests a second a member, or a visitor's address, and three times that in a burst. It counts in
 * this process's memory on purpose: a write to the database for each call would be the very load it guards against. What must hold over
 * gateways (codes, sign-ins) has its own limits there. Refuses with `TOO_MANY_REQUESTS`. Register it after the session plugin.
 */
export function registerRequestLimit(app: FastifyInstance, { requestsPerSecond }: { requestsPerSecond: number }): void {
  if (requestsPerSecond === 0) return;
  const limiter = new BurstyRateLimiter(
    new RateLimiterMemory({ keyPrefix: 'steady', points: requestsPerSecond, duration: 1 }),
    new RateLimiterMemory({ keyPrefix: 'burst', points: requestsPerSecond * 2, duration: BURST_SECONDS }),
  );
  app.addHook('onRequest', async (request) => {
    if (!isLimited(request)) return;
    const key = request.signedIn ? `member:${request.signedIn.memberId}` : `ip:${limitedAddress(request.ip)}`;
    try {
      await limiter.consume(key);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
      throw new Refusal('TOO_MANY_REQUESTS', { params: { seconds }, retryAfterSeconds: seconds });
    }
  });
}
