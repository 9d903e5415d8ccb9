import type { UserCalls } from '../../contract/user';
import { type Db, inTransaction, type Tx } from '../../db/client';
import type { SharedLimit } from '../../plugins/rateLimitStore';
import { Refusal } from '../../refusal';
import type { LoginSessionService } from './loginSession.service';
import type { LoginSlowdownService } from './loginSlowdown.service';
import { numbersOf, requireMobile } from './mobile.rules';
import type { PasswordHasher } from './passwordHash';
import type { PasswordNotice } from './passwordNotice.service';
import { requireStrongPassword } from './passwordStrength';
import { lockByMobile, setPassword } from './user.repository';
import type { VerificationCodeService } from './verificationCode.service';
import { countAttempt, type Visit } from './visit';

type Reset = UserCalls['POST /gateway/user/forgetPassword']['body'];
type Answer = UserCalls['POST /gateway/user/forgetPassword']['data'];

export interface ForgetPasswordDeps {
  db: Db;
  loginSessions: LoginSessionService;
  codes: VerificationCodeService;
  hasher: PasswordHasher;
  slowdown: LoginSlowdownService;
  notice: PasswordNotice;
  /** Resets asked for from one address. */
  perAddress: SharedLimit;
}

/**
 * Sets a new password for whoever proves the account's number: code used up, password, every session's end and the sign-ins' forgotten
 * failures stand together or not at all. Nobody is signed in. Refuses with `PASSWORDS_DIFFER`, `INVALID_INPUT` (not a mobile number),
 * `TOO_MANY_REQUESTS`, `PASSWORD_TOO_WEAK` (data.feedback says why), `INVALID_CAPTCHA`, and only to whoever proved the number
 * `MOBILE_NOT_REGISTERED`.
 */
export function createForgetPassword(deps: ForgetPasswordDeps) {
  return async (reset: Reset, visit: Visit): Promise<Answer> => {
    const mobile = requireMobile(reset.mobile, 'body.mobile');
    if (reset.password !== reset.confirm) throw new Refusal('PASSWORDS_DIFFER');
    await countAttempt(deps.perAddress, visit);
    requireStrongPassword(reset.password, numbersOf(mobile), visit.language);
    // Hashing is costly: only a number that waits for a code is worth it, whether or not it has an account.
    if (!(await deps.codes.isCodeInForce(mobile, 'reset'))) throw new Refusal('INVALID_CAPTCHA');
    const passwordHash = await deps.hasher.hashPassword(reset.password);

    // A wrong code and a number without an account return instead of throwing: the try or the code they cost must be committed.
    const outcome = await inTransaction(deps.db, (tx) => resetPassword(tx, deps, { ...reset, mobile, passwordHash }, visit));
    if (typeof outcome === 'string') throw new Refusal(outcome);
    for (const id of outcome.ended) deps.loginSessions.announceRevoked(id);
    await deps.notice(mobile, visit.language);
    return outcome.answer;
  };
}

async function resetPassword(
  tx: Tx,
  { codes, slowdown, loginSessions }: ForgetPasswordDeps,
  { mobile, captcha, password, passwordHash }: Reset & { passwordHash: string },
  { language }: Visit,
): Promise<{ answer: Answer; ended: string[] } | 'INVALID_CAPTCHA' | 'MOBILE_NOT_REGISTERED'> {
  if (!(await codes.tryCode(tx, mobile, 'reset', captcha))) return 'INVALID_CAPTCHA';
  const member = await lockByMobile(tx, mobile);
  if (!member) return 'MOBILE_NOT_REGISTERED';
  // Judged with the account's own words only now: before, the answer would tell strangers of them. The code stays good.
  requireStrongPassword(password, [member.username, member.email ?? '', ...numbersOf(mobile)], language);
  await setPassword(tx, { id: member.id, passwordHash });
  await slowdown.forgetAccount(tx, member.id);
  const ended = await loginSessions.revokeAll(tx, member.id);
  return { answer: { userId: member.id, userName: member.username }, ended };
}
