import type { FastifyInstance } from 'fastify';
import type { LoginSessionService } from '../domains/user/loginSession.service';
import { Refusal } from '../refusal';
import type { SessionCookies } from './sessionCookies';

/**
 * Finds out who makes a request, before anything else looks at it. A call for members answers 401 without a valid session, and the
 * cookies of one that has ended are cleared; a call for visitors goes on as a visitor's.
 */
export function registerSession(
  app: FastifyInstance,
  { loginSessions, cookies }: { loginSessions: Pick<LoginSessionService, 'resolveSession'>; cookies: SessionCookies },
): void {
  app.addHook('onRequest', async (request, reply) => {
    const sent = cookies.read(request);
    const verdict = sent ? await loginSessions.resolveSession(sent.id, sent.secret) : null;
    if (verdict?.kind === 'valid') {
      request.signedIn = { memberId: verdict.memberId, loginSessionId: verdict.loginSessionId };
      return;
    }
    if (verdict?.kind === 'forged') request.log.warn({ ip: request.ip }, 'a login session was presented with a wrong secret');
    if (request.routeOptions.config.call?.access !== 'member') return;
    if (cookies.isSent(request)) cookies.clear(reply);
    throw new Refusal('UNAUTHORIZED');
  });
}
