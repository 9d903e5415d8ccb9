import { NIL } from 'uuid';
import type { ErrorName, InvalidField } from '../../contract/errors';
import type { UserCalls } from '../../contract/user';
import { type Db, inTransaction } from '../../db/client';
import type { SharedLimit } from '../../plugins/rateLimitStore';
import { Refusal } from '../../refusal';
import type { LoginSessionService } from './loginSession.service';
import { type LoginSlowdownService, slowedRefusal } from './loginSlowdown.service';
import { parseMobile, requireMobile } from './mobile.rules';
import type { PasswordHasher } from './passwordHash';
import type { SignedInMember } from './register.service';
import { findByMobile, findByUsername, isPasswordStill } from './user.repository';
import type { VerificationCodeService } from './verificationCode.service';
import type { Visit } from './visit';

type Login = UserCalls['POST /gateway/user/login']['body'];

export interface LoginDeps {
  db: Db;
  loginSessions: LoginSessionService;
  codes: VerificationCodeService;
  hasher: PasswordHasher;
  slowdown: LoginSlowdownService;
  /** Failed sign-ins from one address, whatever the accounts. */
  perAddress: SharedLimit;
}

/**
 * Signs in. Refuses with `INVALID_INPUT` (a field of this way of signing in is missing), `LOGIN_SLOWED`, `INVALID_CREDENTIALS` (wrong
 * password and unknown name alike, in the same time), `INVALID_CAPTCHA`, `MOBILE_NOT_REGISTERED` (only to whoever proved the number).
 */
export function createLogin(deps: LoginDeps) {
  return async (login: Login, visit: Visit): Promise<SignedInMember> => {
    const signIn = login.type === 'password' ? passwordSignIn(deps, login) : codeSignIn(deps, login);
    const member = await countingFailures(deps.perAddress, visit, () => signIn(visit, login.keepSignedIn ?? false));
    if (visit.loginSessionId) deps.loginSessions.announceRevoked(visit.loginSessionId);
    return member;
  };
}

/** Only failures count against an address: a class that signs in at once from one is no attack. */
async function countingFailures<T>(perAddress: SharedLimit, { ip, isIpLimited }: Visit, signIn: () => Promise<T>): Promise<T> {
  if (!isIpLimited) return signIn();
  const seconds = await perAddress.waitSeconds(ip);
  if (seconds > 0) throw slowedRefusal(seconds);
  try {
    return await signIn();
  } catch (error) {
    if (error instanceof Refusal && FAILED.has(error.error)) await perAddress.count(ip);
    throw error;
  }
}

const FAILED: ReadonlySet<ErrorName> = new Set<ErrorName>(['INVALID_CREDENTIALS', 'INVALID_CAPTCHA']);

type SignIn = (visit: Visit, isKept: boolean) => Promise<SignedInMember>;

function passwordSignIn({ db, loginSessions, hasher, slowdown }: LoginDeps, login: Login): SignIn {
  const [username, password] = requirePair(login, 'username', 'password');
  return async (visit, isKept) => {
    // No username begins like a number, so what does is a phone's.
    const mobile = /^[+\d]/.test(username) ? parseMobile(username) : null;
    const found = await (mobile ? findByMobile(db, mobile) : findByUsername(db, username));
    const attempt = {
      account: found?.id ?? `nobody:${mobile ?? username.toLowerCase()}`,
      ip: visit.ip,
      isKnownAddress: await loginSessions.isKnownAddress(found?.id ?? NIL, visit.ip),
    };
    await slowdown.admitTry(attempt);
    const isRight = await hasher.verifyPassword(found?.passwordHash ?? null, password);
    if (!found || !isRight) throw new Refusal('INVALID_CREDENTIALS', found ? { subject: found.id } : {});
    await slowdown.forgetFailures(attempt);
    const session = await inTransaction(db, async (tx) => {
      // A password that was changed since it was checked opens no session that the change could not have ended.
      if (!(await isPasswordStill(tx, found))) throw new Refusal('INVALID_CREDENTIALS', { subject: found.id });
      return loginSessions.createSession(tx, sessionRequest(found.id, isKept, visit));
    });
    return { memberId: found.id, session };
  };
}

function codeSignIn({ db, loginSessions, codes }: LoginDeps, login: Login): SignIn {
  const [typed, captcha] = requirePair(login, 'mobile', 'captcha');
  const mobile = requireMobile(typed, 'body.mobile');
  return async (visit, isKept) => {
    // What ends the sign-in is returned and thrown outside: the try or the code it cost must be committed.
    const outcome = await inTransaction(db, async (tx): Promise<SignedInMember | 'INVALID_CAPTCHA' | 'MOBILE_NOT_REGISTERED'> => {
      if (!(await codes.tryCode(tx, mobile, 'login', captcha))) return 'INVALID_CAPTCHA';
      const found = await findByMobile(tx, mobile);
      if (!found) return 'MOBILE_NOT_REGISTERED';
      return { memberId: found.id, session: await loginSessions.createSession(tx, sessionRequest(found.id, isKept, visit)) };
    });
    if (typeof outcome === 'string') throw new Refusal(outcome);
    return outcome;
  };
}

function sessionRequest(memberId: string, isKept: boolean, { loginSessionId, ip, userAgent }: Visit) {
  return { memberId, isKept, replaced: loginSessionId, ip, userAgent };
}

type PairField = 'username' | 'password' | 'mobile' | 'captcha';

/** Both fields of a way of signing in; `INVALID_INPUT` names every one that is missing. */
function requirePair(login: Login, first: PairField, second: PairField): [string, string] {
  const [one, two] = [login[first], login[second]];
  if (one !== undefined && two !== undefined) return [one, two];
  const problem = `is needed to sign in by ${login.type}`;
  const fields = [first, second]
    .filter((field) => login[field] === undefined)
    .map((field): InvalidField => ({ field: `body.${field}`, message: problem }));
  throw new Refusal('INVALID_INPUT', { data: { fields }, params: { field: fields[0]?.field ?? 'body', problem } });
}
