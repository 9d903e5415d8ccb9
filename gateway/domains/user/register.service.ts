import { createHmac } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { signupGift } from '../../catalog/gifts';
import type { UserCalls } from '../../contract/user';
import { type Db, inTransaction, readNow, type Tx } from '../../db/client';
import type { SharedLimit } from '../../plugins/rateLimitStore';
import { Refusal } from '../../refusal';
import type { LedgerService } from '../ledger/ledger.service';
import type { LoginSessionService, NewLoginSession } from './loginSession.service';
import { numbersOf, requireMobile } from './mobile.rules';
import type { PasswordHasher } from './passwordHash';
import { requireStrongPassword } from './passwordStrength';
import { insertMember } from './user.repository';
import type { VerificationCodeService } from './verificationCode.service';
import { countAttempt, type Visit } from './visit';

type Registration = UserCalls['POST /gateway/user/register']['body'];

export interface RegisterDeps {
  db: Db;
  installation: { hmacKey: Buffer };
  ledger: Pick<LedgerService, 'openWallet' | 'grantDcu'>;
  loginSessions: LoginSessionService;
  codes: VerificationCodeService;
  hasher: PasswordHasher;
  /** Registrations asked for from one address. */
  perAddress: SharedLimit;
}

const DAY_MS = 86_400_000;

export interface SignedInMember {
  memberId: string;
  session: NewLoginSession;
}

/**
 * Makes an account: code used up, member, wallet, signup gift and login session stand together or not at all. Refuses with
 * `PASSWORDS_DIFFER`, `INVALID_INPUT` (not a mobile number), `TOO_MANY_REQUESTS`, `PASSWORD_TOO_WEAK` (data.feedback says why),
 * `INVALID_CAPTCHA`, and for whoever holds the right code, which stays good, `MOBILE_TAKEN` and `USERNAME_TAKEN`.
 */
export function createRegister(deps: RegisterDeps) {
  return async (registration: Registration, visit: Visit): Promise<SignedInMember> => {
    const mobile = requireMobile(registration.mobile, 'body.mobile');
    if (registration.password !== registration.confirm) throw new Refusal('PASSWORDS_DIFFER');
    await countAttempt(deps.perAddress, visit);
    const { username, email = '' } = registration;
    requireStrongPassword(registration.password, [username, email, ...numbersOf(mobile)], visit.language);
    // Hashing is costly: only a number that waits for a code is worth it.
    if (!(await deps.codes.isCodeInForce(mobile, 'register'))) throw new Refusal('INVALID_CAPTCHA');
    const passwordHash = await deps.hasher.hashPassword(registration.password);

    const member = await inTransaction(deps.db, async (tx) => {
      // A wrong code returns instead of throwing: the try it cost must be committed.
      if (!(await deps.codes.tryCode(tx, mobile, 'register', registration.captcha))) return null;
      return addMember(tx, deps, { ...registration, mobile, passwordHash }, visit);
    });
    if (!member) throw new Refusal('INVALID_CAPTCHA');
    if (visit.loginSessionId) deps.loginSessions.announceRevoked(visit.loginSessionId);
    return member;
  };
}

async function addMember(
  tx: Tx,
  { ledger, loginSessions, installation }: RegisterDeps,
  registration: Registration & { passwordHash: string },
  visit: Visit,
): Promise<SignedInMember> {
  const { username, passwordHash, mobile, email = null, source = null, eventCode = null } = registration;
  const memberId = uuidv7();
  const outcome = await insertMember(tx, { id: memberId, username, passwordHash, mobile, email, source, eventCode });
  if (outcome === 'mobileTaken') throw new Refusal('MOBILE_TAKEN');
  if (outcome === 'usernameTaken') throw new Refusal('USERNAME_TAKEN');
  await ledger.openWallet(tx, memberId);
  // By the number's hash and not by the member: whoever leaves and comes back is not given it twice.
  const numberHash = createHmac('sha256', installation.hmacKey).update(`signup-gift\0${mobile}`).digest('hex');
  await ledger.grantDcu(tx, {
    memberId,
    micro: signupGift.micro,
    kind: 'gift',
    source: 'gift',
    expiresAt: new Date((await readNow(tx)).getTime() + signupGift.days * DAY_MS),
    idemKey: `gift:signup:${numberHash}`,
    refType: 'member',
    refId: memberId,
    note: 'signup gift',
  });
  const { ip, userAgent, loginSessionId } = visit;
  const session = await loginSessions.createSession(tx, { memberId, isKept: false, replaced: loginSessionId, ip, userAgent });
  return { memberId, session };
}
