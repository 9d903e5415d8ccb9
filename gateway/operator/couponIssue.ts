import type { CampaignEntry } from '../catalog/saleEntries';
import { inTransaction, readNow, type Tx } from '../db/client';
import type { HeldCoupon } from '../domains/coupon/coupon.rules';
import type { Services } from '../services';
import { CommandRefused, defineCommand } from './command';
import { memberByName } from './memberByName';

type CouponCampaign = CampaignEntry & { giving: { gives: 'coupon' } };

export const couponIssue = defineCommand({
  name: 'coupon issue',
  summary: 'Gives a member the coupon of a campaign, once for a reference.',
  options: {
    member: { kind: 'text', meaning: 'username', max: 32 },
    campaign: { kind: 'text', meaning: 'id of the campaign, as catalog check lists them', max: 64 },
    ref: { kind: 'text', meaning: 'your reference: a second time it gives nothing more', max: 64 },
    reason: { kind: 'text', meaning: 'why, for the audit', max: 200 },
  },
  async run({ db, services, operator, say }, { member, campaign: campaignId, ref, reason }) {
    const { catalogue, ledger, coupons, audit } = await services();
    const campaign = requireCampaign(catalogue.findCampaign(campaignId), campaignId);
    const memberId = await memberByName(db, member);
    const issueKey = `operator:${ref}:${memberId}`;
    const { coupon, isNew } = await inTransaction(db, async (tx) => {
      await ledger.lockWallet(tx, memberId);
      const before = await coupons.findIssued(tx, issueKey);
      if (before) return { coupon: before, isNew: false };
      const issued = await issue(tx, coupons, { campaign, memberId, issueKey });
      const entry = { action: 'coupon issue', subject: issued.couponId, result: 'OK', note: `${ref}: ${reason}` } as const;
      await audit.write({ ...entry, actor: { kind: 'operator', name: operator } }, tx);
      return { coupon: issued, isNew: true };
    });
    if (coupon.campaignId !== campaignId)
      throw new CommandRefused(`Under ${ref}, ${member} was given ${coupon.campaignId} before.`);
    const what = `${coupon.terms.title['en-US']}, until ${coupon.endsAt.toISOString()}, coupon ${coupon.couponId}`;
    say(isNew ? `${member} was given: ${what}.` : `Nothing was done: under ${ref}, ${member} was given before: ${what}.`);
  },
});

function requireCampaign(campaign: CampaignEntry | undefined, campaignId: string): CouponCampaign {
  if (!campaign) throw new CommandRefused(`There is no campaign ${campaignId}; catalog check lists them.`);
  if (!givesCoupon(campaign)) throw new CommandRefused(`Campaign ${campaignId} gives no coupon.`);
  return campaign;
}

function givesCoupon(campaign: CampaignEntry): campaign is CouponCampaign {
  return campaign.giving.gives === 'coupon';
}

async function issue(
  tx: Tx,
  coupons: Services['coupons'],
  { campaign, memberId, issueKey }: { campaign: CouponCampaign; memberId: string; issueKey: string },
): Promise<HeldCoupon> {
  const { coupon, couponDays } = campaign.giving;
  const terms = { campaignId: campaign.campaignId, coupon, couponDays };
  return coupons.get(tx, memberId, await coupons.issue(tx, { ...terms, memberId, issueKey, at: await readNow(tx) }));
}
