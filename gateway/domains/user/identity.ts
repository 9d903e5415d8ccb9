import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import type { Clock } from '../../clock';
import type { Config } from '../../config';
import type { Db } from '../../db/client';
import { deleteOldAnswers } from '../../db/idempotency';
import { createOutboxSmsSender } from '../../drivers/sms/outboxSmsSender';
import { registerCrossSite } from '../../plugins/crossSite';
import { registerRequestLimit } from '../../plugins/rateLimitRequests';
import { createSharedLimit, deleteOldLimits } from '../../plugins/rateLimitStore';
import { registerAccess, registerSession } from '../../plugins/session';
import { createSessionCookies } from '../../plugins/sessionCookies';
import { createChangePassword } from './changePassword.service';
import { createForgetPassword } from './forgetPassword.service';
import { createLogin } from './login.service';
import { createLoginSessionService } from './loginSession.service';
import { createLoginSlowdownService } from './loginSlowdown.service';
import { createMemberTexts } from './memberText.service';
import { createPasswordHasher } from './passwordHash';
import { createPasswordNotice } from './passwordNotice.service';
import { createRegister, type RegisterDeps } from './register.service';
import { registerUserRoutes } from './user.routes';
import { createUserService, type UserDeps } from './user.service';
import { createVerificationCodeService } from './verificationCode.service';

export interface IdentityDeps {
  config: Pick<Config, 'dataDir' | 'smsDailyBudget'>;
  db: Db;
  pool: Pool;
  clock: Clock;
  installation: { hmacKey: Buffer };
  ledger: RegisterDeps['ledger'];
  metering: UserDeps['metering'];
  membership: UserDeps['membership'];
}

/** Failed sign-ins a minute from one address, and registrations and resets tried: a class behind one address still gets in. */
const FAILED_LOGINS = { name: 'login', points: 20, seconds: 60 };
const RESETS = { name: 'reset', points: 60, seconds: 60 };
/** Changes of one member's password an hour. */
const PASSWORD_CHANGES = { name: 'password', points: 10, seconds: 3600 };
const REGISTRATIONS = { name: 'register', points: 60, seconds: 60 };

export type IdentityServices = ReturnType<typeof createIdentity>;

/** Everything of who somebody is, wired once: codes, accounts, login sessions, rights. */
export function createIdentity(deps: IdentityDeps, log: FastifyBaseLogger) {
  const { config, db, pool, clock, installation, ledger, metering, membership } = deps;
  const sms = createOutboxSmsSender({ dataDir: config.dataDir, clock });
  const codes = createVerificationCodeService({ db, installation, sms, smsDailyBudget: config.smsDailyBudget, log });
  const loginSessions = createLoginSessionService({ db });
  const slowdown = createLoginSlowdownService({ db, installation });
  const hasher = createPasswordHasher();
  const texts = createMemberTexts({ db, sms, smsDailyBudget: config.smsDailyBudget });
  const notice = createPasswordNotice({ texts, log });
  const signIn = { db, loginSessions, codes, hasher };
  const newPassword = { ...signIn, slowdown, notice };

  return {
    loginSessions,
    texts,
    users: createUserService({ db, codes, membership, metering }),
    register: createRegister({ ...signIn, installation, ledger, perAddress: createSharedLimit(pool, REGISTRATIONS) }),
    login: createLogin({ ...signIn, slowdown, perAddress: createSharedLimit(pool, FAILED_LOGINS) }),
    forgetPassword: createForgetPassword({ ...newPassword, perAddress: createSharedLimit(pool, RESETS) }),
    changePassword: createChangePassword({ ...newPassword, perMember: createSharedLimit(pool, PASSWORD_CHANGES) }),
    /** Forgets codes, texts, counters, login sessions and stored answers that nothing looks at any longer. */
    async purgeIdentity(): Promise<void> {
      await sms.purge();
      await codes.deleteOldCodes();
      await slowdown.deleteForgotten();
      await loginSessions.deleteForgotten();
      await deleteOldAnswers(db);
      await deleteOldLimits(pool);
    },
  };
}

type SiteConfig = Pick<Config, 'publicUrl' | 'trustedProxies' | 'isProduction' | 'requestsPerSecond'>;

/** What every request passes before its call: whose page made it, who makes it, whether it is one of too many, whether they may. In this order. */
export function registerIdentityPlugins(app: FastifyInstance, identity: IdentityServices, config: SiteConfig): void {
  // The gateway speaks plain http itself: under https somebody stands in front of it.
  if (config.publicUrl.startsWith('https:') && config.trustedProxies.length === 0) {
    app.log.warn('PUBLIC_URL is https and TRUSTED_PROXIES is empty: limits by address count the reverse proxy instead of visitors');
  }
  registerCrossSite(app, config);
  const cookies = createSessionCookies(config);
  registerSession(app, { loginSessions: identity.loginSessions, cookies });
  registerRequestLimit(app, config);
  registerAccess(app, { cookies });
}

export function registerIdentityRoutes(app: FastifyInstance, identity: IdentityServices, config: SiteConfig): void {
  registerUserRoutes(app, { ...identity, cookies: createSessionCookies(config) });
}
