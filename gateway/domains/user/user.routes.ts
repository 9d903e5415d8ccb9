import type { FastifyInstance, FastifyReply } from 'fastify';
import { userCalls } from '../../contract/user';
import { registerCalls } from '../../plugins/callRouter';
import type { SessionCookies } from '../../plugins/sessionCookies';
import { invalidField, Refusal } from '../../refusal';
import type { createChangePassword } from './changePassword.service';
import type { createForgetPassword } from './forgetPassword.service';
import type { createLogin } from './login.service';
import type { LoginSessionService } from './loginSession.service';
import type { createRegister, SignedInMember } from './register.service';
import type { UserService } from './user.service';
import { type Visit, visitOf } from './visit';

export interface UserRouteDeps {
  users: UserService;
  register: ReturnType<typeof createRegister>;
  login: ReturnType<typeof createLogin>;
  forgetPassword: ReturnType<typeof createForgetPassword>;
  changePassword: ReturnType<typeof createChangePassword>;
  loginSessions: LoginSessionService;
  cookies: SessionCookies;
}

export function registerUserRoutes(app: FastifyInstance, deps: UserRouteDeps): void {
  const { users, register, login, forgetPassword, changePassword, loginSessions, cookies } = deps;

  async function answerSignedIn({ memberId, session }: SignedInMember, visit: Visit, reply: FastifyReply) {
    // Read first: cookies of a session go out only with an answer that says so.
    const user = await users.getSessionUser(memberId, visit.language);
    cookies.write(reply, session);
    return { sessionId: session.id, expiresInDays: session.expiresInDays, user };
  }

  registerCalls(app, userCalls, {
    'GET /gateway/user/sendVerificationCode': ({ query, request }) => users.sendVerificationCode(query, visitOf(request)),
    'POST /gateway/user/register': async ({ body, request, reply }) => {
      const visit = visitOf(request);
      return answerSignedIn(await register(body, visit), visit, reply);
    },
    'POST /gateway/user/login': async ({ body, request, reply }) => {
      const visit = visitOf(request);
      return answerSignedIn(await login(body, visit), visit, reply);
    },
    'POST /gateway/user/logout': async ({ signedIn, reply }) => {
      if (signedIn) await loginSessions.revokeSession(signedIn.loginSessionId);
      cookies.clear(reply);
      return {};
    },
    'POST /gateway/user/forgetPassword': async ({ body, request, signedIn, reply }) => {
      const answer = await forgetPassword(body, visitOf(request));
      // What this browser still has of the account is worth nothing from here on.
      if (signedIn?.memberId === answer.userId) cookies.clear(reply);
      return answer;
    },
    'POST /gateway/user/changePassword': async ({ body, request, signedIn, reply }) => {
      const { session, endedSessions } = await changePassword(signedIn, body, visitOf(request));
      cookies.write(reply, session);
      return { sessionId: session.id, expiresInDays: session.expiresInDays, endedSessions };
    },
    'GET /gateway/user/loginSessions': async ({ signedIn }) => ({
      list: await loginSessions.listSessions(signedIn.memberId, signedIn.loginSessionId),
    }),
    'POST /gateway/user/revokeLoginSession': async ({ body, signedIn, reply }) => {
      const { loginSessionId: only, others } = body;
      if (only === undefined && !others) throw invalidField('body.loginSessionId', 'required');
      if (only !== undefined && others) throw invalidField('body.others', 'absent');
      const which = only === undefined ? { except: signedIn.loginSessionId } : { only: only.toLowerCase() };
      const endedSessions = await loginSessions.revokeOwn(signedIn.memberId, which);
      if (only !== undefined && endedSessions === 0) throw new Refusal('NOT_FOUND');
      if (which.only === signedIn.loginSessionId) cookies.clear(reply);
      return { endedSessions };
    },
    'GET /gateway/user/getUserBySession': ({ signedIn, request }) =>
      users.getSessionUser(signedIn.memberId, visitOf(request).language),
  });
}
