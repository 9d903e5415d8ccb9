import type { Catalogue } from '../../catalog/catalogue';
import type { CampaignEntry } from '../../catalog/saleEntries';
import type { CouponCalls } from '../../contract/coupon';
import { type Db, inTransaction, readNow, type Tx } from '../../db/client';
import { findAnswer, type IdempotentRequest, runOnce } from '../../db/idempotency';
import { dcuFromMicro } from '../../dcu';
import type { Language } from '../../locales/messages';
import { consumeOrRefuse, type SharedLimit, tooManyRequests } from '../../plugins/rateLimitStore';
import { Refusal } from '../../refusal';
import type { LedgerService } from '../ledger/ledger.service';
import { countRedemption, insertRedemption } from './coupon.repository';
import type { GivingService } from './giving.service';

type Redeemed = CouponCalls['POST /gateway/membership/redeemCoupon']['data'];

export interface RedeemCodeDeps {
  db: Db;
  catalogue: Pick<Catalogue, 'campaignByCode'>;
  ledger: Pick<LedgerService, 'lockWallet'>;
  giving: GivingService;
  /** Codes one member tried. */
  perMember: SharedLimit;
  /** Codes tried from one address that no campaign has. */
  perAddress: SharedLimit;
}

export interface CodeAttempt {
  memberId: string;
  code: string;
  /** As limits count it; null where the address says nothing about who asks. */
  ip: string | null;
  language: Language;
  idempotency: IdempotentRequest | null;
}

/**
 * Gives what a code's campaign gives, once a member and at most as often as the campaign allows. Refuses with `COUPON_CODE_UNKNOWN`,
 * `COUPON_CODE_USED_UP`, `COUPON_CODE_REDEEMED` and, where codes are guessed, `TOO_MANY_REQUESTS`.
 */
export function createRedeemCode(deps: RedeemCodeDeps) {
  const { db, catalogue, perMember, perAddress } = deps;
  return async ({ memberId, code, ip, language, idempotency }: CodeAttempt): Promise<Redeemed> => {
    const before = await findAnswer<Redeemed>(db, memberId, idempotency);
    if (before) return before.answer;
    const waitSeconds = ip === null ? 0 : await perAddress.waitSeconds(ip);
    if (waitSeconds > 0) throw tooManyRequests(waitSeconds);
    await consumeOrRefuse(perMember, memberId);
    const campaign = catalogue.campaignByCode(code);
    if (!campaign || !isRedeemable(campaign, await readNow(db))) {
      if (ip !== null) await perAddress.count(ip);
      throw new Refusal('COUPON_CODE_UNKNOWN');
    }
    return inTransaction(db, (tx) => runOnce(tx, memberId, idempotency, () => redeem(tx, deps, memberId, campaign, language)));
  };
}

async function redeem(
  tx: Tx,
  { ledger, giving }: RedeemCodeDeps,
  memberId: string,
  { campaignId, name, giving: gift, most }: CampaignEntry,
  language: Language,
): Promise<Redeemed> {
  await ledger.lockWallet(tx, memberId);
  if (!(await insertRedemption(tx, campaignId, memberId, most))) throw new Refusal('COUPON_CODE_REDEEMED');
  const origin = { campaignId, note: 'redeemed code', actor: 'member' };
  const given = await giving.give(tx, memberId, gift, `code:${campaignId}:${memberId}`, name, origin);
  // Last, because all who redeem the code wait for one another here.
  if (!(await countRedemption(tx, campaignId, most))) throw new Refusal('COUPON_CODE_USED_UP');
  const { gives, title, couponId, micro, days } = given;
  return { gives, title: title[language], couponId, dcu: micro === null ? null : dcuFromMicro(micro), days };
}

function isRedeemable({ from, until }: CampaignEntry, at: Date): boolean {
  return Date.parse(from) <= at.getTime() && at.getTime() < Date.parse(until);
}
