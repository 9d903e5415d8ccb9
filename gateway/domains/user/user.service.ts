import type { UserCalls } from '../../contract/user';
import type { Db, Tx } from '../../db/client';
import { dcuFromMicro } from '../../dcu';
import type { Language } from '../../locales/messages';
import { invalidField, Refusal } from '../../refusal';
import type { MembershipService } from '../membership/membership.service';
import { maskMobile, requireMobile } from './mobile.rules';
import { findByMobile, getMember } from './user.repository';
import { codeTextFor, needsSignIn } from './verificationCode.rules';
import type { VerificationCodeService } from './verificationCode.service';
import type { Visit } from './visit';

type CodeQuery = UserCalls['GET /gateway/user/sendVerificationCode']['query'];
type SessionUser = UserCalls['GET /gateway/user/getUserBySession']['data'];

export interface UserDeps {
  db: Db;
  codes: VerificationCodeService;
  membership: Pick<MembershipService, 'getRights'>;
  metering: { getBalance(memberId: string): Promise<{ postedMicro: bigint; accruedMicro: bigint }> };
}

export type UserService = ReturnType<typeof createUserService>;

/** Members as they see themselves, and the codes that prove their numbers. */
export function createUserService({ db, codes, membership, metering }: UserDeps) {
  return {
    /**
     * Sends one text to the number, whatever accounts exist. Refuses with `INVALID_INPUT` (not a mobile number; closing an account with a
     * number that is not one's own), `UNAUTHORIZED` (scenes that change an account), and as `sendCode` does.
     */
    async sendVerificationCode({ mobile: typed, scene }: CodeQuery, visit: Visit): Promise<{ cooldownSeconds: number }> {
      const mobile = requireMobile(typed, 'query.mobile');
      if (needsSignIn(scene) && !visit.memberId) throw new Refusal('UNAUTHORIZED');
      const owner = await findByMobile(db, mobile);
      if (scene === 'closeAccount' && owner?.id !== visit.memberId) {
        throw invalidField('query.mobile', 'ownMobile');
      }
      const { ip, isIpLimited, language } = visit;
      return codes.sendCode({ mobile, scene, kind: codeTextFor(scene, owner !== undefined), language, ip, isIpLimited });
    },

    /** What the member has proven, which prices and permissions hang on; read in a transaction, it is what holds there. */
    async getProofs(memberId: string, reader: Db | Tx = db): Promise<{ isStudent: boolean; isRealName: boolean }> {
      const { isStudent, isRealName } = await getMember(reader, memberId);
      return { isStudent, isRealName };
    },

    /** Every field of the session user; the member exists as long as a login session does. */
    async getSessionUser(memberId: string, language: Language): Promise<SessionUser> {
      const [member, rights, balance] = await Promise.all([
        getMember(db, memberId),
        membership.getRights(memberId, db, language),
        metering.getBalance(memberId),
      ]);
      return {
        userId: member.id,
        userName: member.username,
        mobilePhone: maskMobile(member.mobile),
        isRealName: member.isRealName,
        isStudent: member.isStudent,
        memberExpirationDate: rights.memberExpirationDate,
        remainDcu: dcuFromMicro(balance.postedMicro - balance.accruedMicro),
        packageName: rights.packageName,
        levelFlag: rights.levelFlag,
      };
    },
  };
}
