import type { UserCalls } from '../../contract/user';
import { type Db, inTransaction } from '../../db/client';
import { consumeOrRefuse, type SharedLimit } from '../../plugins/rateLimitStore';
import { Refusal } from '../../refusal';
import type { LoginSessionService, NewLoginSession } from './loginSession.service';
import type { LoginSlowdownService } from './loginSlowdown.service';
import { numbersOf } from './mobile.rules';
import type { PasswordHasher } from './passwordHash';
import type { PasswordNotice } from './passwordNotice.service';
import { requireStrongPassword } from './passwordStrength';
import { getMember, setPassword } from './user.repository';
import type { Visit } from './visit';

type Change = UserCalls['POST /gateway/user/changePassword']['body'];

export interface ChangePasswordDeps {
  db: Db;
  loginSessions: LoginSessionService;
  hasher: PasswordHasher;
  slowdown: LoginSlowdownService;
  notice: PasswordNotice;
  /** Changes of one member, each of which sends a text. */
  perMember: SharedLimit;
}

interface SignedIn {
  memberId: string;
  loginSessionId: string;
}

/**
 * Changes the password of whoever knows the present one; this browser gets a new login session, all others end. Refuses with
 * `PASSWORDS_DIFFER`, `PASSWORD_UNCHANGED`, `PASSWORD_TOO_WEAK` (data.feedback says why), `LOGIN_SLOWED`, `WRONG_PASSWORD`,
 * `TOO_MANY_REQUESTS` and `UNAUTHORIZED` (the session ended meanwhile, as by another change at once).
 */
export function createChangePassword(deps: ChangePasswordDeps) {
  const { db, loginSessions, hasher, slowdown } = deps;
  return async (
    { memberId, loginSessionId }: SignedIn,
    { oldPassword, password, confirm }: Change,
    { ip, userAgent, language }: Visit,
  ): Promise<{ session: NewLoginSession; endedSessions: number }> => {
    if (password !== confirm) throw new Refusal('PASSWORDS_DIFFER');
    if (password === oldPassword) throw new Refusal('PASSWORD_UNCHANGED');
    const member = await getMember(db, memberId);
    requireStrongPassword(password, [member.username, member.email ?? '', ...numbersOf(member.mobile)], language);
    // Whoever sits at a browser left open guesses no faster than at the sign-in.
    const attempt = { account: memberId, ip, isKnownAddress: await loginSessions.isKnownAddress(memberId, ip) };
    await slowdown.admitTry(attempt);
    if (!(await hasher.verifyPassword(member.passwordHash, oldPassword))) throw new Refusal('WRONG_PASSWORD');
    await slowdown.forgetFailures(attempt);
    await consumeOrRefuse(deps.perMember, memberId);
    const passwordHash = await hasher.hashPassword(password);

    const { session, ended } = await inTransaction(db, async (tx) => {
      // Of changes at once the first ends the sessions of all others, which then find theirs ended.
      await setPassword(tx, { id: memberId, passwordHash });
      const renewed = await loginSessions.renewSession(tx, { memberId, loginSessionId, ip, userAgent });
      if (!renewed) throw new Refusal('UNAUTHORIZED');
      return renewed;
    });
    for (const id of ended) loginSessions.announceRevoked(id);
    await deps.notice(member.mobile, language);
    return { session, endedSessions: ended.length - 1 };
  };
}
