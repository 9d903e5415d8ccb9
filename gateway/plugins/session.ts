import type { FastifyInstance } from 'fastify';
import type { LoginSessionService } from '../domains/user/loginSession.service';
import { Refusal } from '../refusal';
import { isGatewayRoute } from './rateLimitRequests';
import type { SessionCookies } from './sessionCookies';

interface SessionDeps {
  loginSessions: Pick<LoginSessionService, 'resolveSession'>;
  cookies: SessionCookies;
}

/**
 * Finds out who makes a request to the gateway; static files are the same for everybody and cost no look-up. Cookies that are worth
 * nothing make a visitor, whatever the reason.
 */
export function registerSession(app: FastifyInstance, { loginSessions, cookies }: SessionDeps): void {
  app.addHook('onRequest', async (request) => {
    const sent = isGatewayRoute(request) && !request.routeOptions.config.isOutsideParty ? cookies.read(request) : null;
    if (!sent) return;
    const verdict = await loginSessions.resolveSession(sent.id, sent.secret);
    if (verdict.kind === 'valid') {
      request.signedIn = { memberId: verdict.memberId, loginSessionId: verdict.loginSessionId };
    } else if (verdict.kind === 'forged') {
      request.log.warn({ ip: request.ip }, 'a login session was presented with a wrong secret');
    }
  });
}

/** Calls for members answer 401 without a valid session, before anything of the request is looked at, and its cookies are cleared. */
export function registerAccess(app: FastifyInstance, { cookies }: Pick<SessionDeps, 'cookies'>): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.signedIn || request.routeOptions.config.call?.access !== 'member') return;
    if (cookies.isSent(request)) cookies.clear(reply);
    throw new Refusal('UNAUTHORIZED');
  });
}
