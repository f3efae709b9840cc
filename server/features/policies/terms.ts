import { toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import type * as contract from '@stagedoor/contract/policies.ts';
import type { Executor } from '../../kernel/db.ts';
import { affiliateSettings } from '../affiliates/index.ts';
import { payoutSettings } from '../payouts/index.ts';
import { priceLimits, salesSettings } from '../sales/index.ts';

export type HouseTerms = AnswerOf<typeof contract.houseTerms>;

export async function houseTerms(db: Executor): Promise<HouseTerms> {
  const [sales, payouts, affiliates, prices] = await Promise.all([
    salesSettings(db),
    payoutSettings(db),
    affiliateSettings(db),
    priceLimits(db),
  ]);
  return {
    house: true,
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
  };
}
