import type { FastifyInstance, FastifyReply } from 'fastify';
import { userCalls } from '../../contract/user';
import { registerCalls } from '../../plugins/callRouter';
import type { SessionCookies } from '../../plugins/sessionCookies';
import type { createLogin } from './login.service';
import type { LoginSessionService } from './loginSession.service';
import type { createRegister, SignedInMember } from './register.service';
import type { UserService } from './user.service';
import { visitOf } from './visit';

export interface UserRouteDeps {
  users: UserService;
  register: ReturnType<typeof createRegister>;
  login: ReturnType<typeof createLogin>;
  loginSessions: LoginSessionService;
  cookies: SessionCookies;
}

export function registerUserRoutes(app: FastifyInstance, deps: UserRouteDeps): void {
  const { users, register, login, loginSessions, cookies } = deps;

  async function answerSignedIn({ memberId, session }: SignedInMember, reply: FastifyReply) {
    // Read first: cookies of a session go out only with an answer that says so.
    const user = await users.getSessionUser(memberId);
    cookies.write(reply, session);
    return { sessionId: session.id, expiresInDays: session.expiresInDays, user };
  }

  registerCalls(app, userCalls, {
    'GET /gateway/user/sendVerificationCode': ({ query, request }) => users.sendVerificationCode(query, visitOf(request)),
    'POST /gateway/user/register': async ({ body, request, reply }) =>
      answerSignedIn(await register(body, visitOf(request)), reply),
    'POST /gateway/user/login': async ({ body, request, reply }) => answerSignedIn(await login(body, visitOf(request)), reply),
    'POST /gateway/user/logout': async ({ signedIn, reply }) => {
      if (signedIn) await loginSessions.revokeSession(signedIn.loginSessionId);
      cookies.clear(reply);
      return {};
    },
    'GET /gateway/user/getUserBySession': ({ signedIn }) => users.getSessionUser(signedIn.memberId),
  });
}
