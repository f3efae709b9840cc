import type * as contract from '@stagedoor/contract/finance/pricing.ts';
import { toUsd } from '@stagedoor/contract/shared/money.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Config } from '../../../platform/config.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { getSalesSettings, loadPriceLimits } from '../../commerce/sales/index.ts';
import { loadSubscriptionSettings } from '../../content/subscription-tiers/index.ts';
import { loadAffiliateSettings } from '../affiliates/index.ts';
import { loadPayoutSettings } from '../payouts/index.ts';

export type PlatformTerms = ResponseInputOf<typeof contract.getPlatformTerms>;

export async function getPlatformTerms(
  db: Executor,
  config: Pick<Config, 'hasUnverifiedPosts'>,
): Promise<PlatformTerms> {
  const [sales, payouts, affiliates, prices, subscriptions] = await Promise.all([
    getSalesSettings(db),
    loadPayoutSettings(db),
    loadAffiliateSettings(db),
    loadPriceLimits(db),
    loadSubscriptionSettings(db),
  ]);
  return {
    dependsOnSettings: true,
    generalFee: sales.generalPercent,
    offerFee: sales.offerPercent,
    offerDays: sales.offerDays,
    clearingDays: sales.clearingDays,
    dailySpend: toUsd(sales.dailyLimitCents),
    payoutMinimum: toUsd(payouts.minimumCents),
    cryptoMinimum: toUsd(payouts.cryptoMinimumCents),
    coolingHours: payouts.coolingHours,
    creatorReferralPercent: affiliates.creatorPercent,
    customerReferralPercent: affiliates.customerPercent,
    referralMonths: affiliates.months,
    referralMinimum: toUsd(Math.max(payouts.minimumCents, payouts.referralsMinimumCents)),
    referralFee: payouts.referralsFeePercent,
    referralMoveFee: affiliates.moveFeePercent,
    prices,
    trialDaysMax: subscriptions.trialDaysMax,
    renewalGraceDays: Math.ceil(subscriptions.graceHours / 24),
    subscriptionRefundHours: subscriptions.refundHours,
    isVerificationRequiredToPost: !config.hasUnverifiedPosts,
  };
}
