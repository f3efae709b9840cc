/** The help questions and answers. Amounts come from the operator's settings, so that answers never go out of date. */

import { findNewCreatorOffer, type getPlatformTerms } from '@stagedoor/contract/finance/pricing.ts';
import { foldText } from '@stagedoor/contract/shared/fold-text.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { DEPOSIT_FEE_PERCENT } from '@stagedoor/contract/shared/limits.ts';
import { CALL_LIMITS, VERIFICATION_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import type { PriceLimit } from '@stagedoor/contract/shared/prices.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { APPEAL_MONTHS } from '@stagedoor/contract/trust/case-kinds.ts';
import * as texts from './texts.ts';

export type HelpQuestion = { readonly title: string; readonly answer: string; readonly side?: 'fan' | 'creator' };

export type HelpTerms = Pick<
  ResponseOf<typeof getPlatformTerms>,
  | 'generalFee'
  | 'offerFee'
  | 'offerDays'
  | 'clearingDays'
  | 'payoutMinimum'
  | 'cryptoMinimum'
  | 'coolingHours'
  | 'prices'
  | 'trialDaysMax'
  | 'renewalGraceDays'
  | 'subscriptionRefundHours'
  | 'isVerificationRequiredToPost'
>;
const formatRange = ({ min, max }: PriceLimit) =>
  formatText(texts.priceRange, { min: formatUsd(min), max: formatUsd(max) });

function formatFeeShare(terms: Omit<HelpTerms, 'prices'>): string {
  const offer = findNewCreatorOffer(terms);
  return formatText(texts.feeTerms, {
    generalFee: terms.generalFee,
    offer: offer ? formatText(texts.newCreatorOffer, { fee: offer.fee, days: offer.days }) : '',
  });
}

export const listHelpQuestions = ({
  prices: { post, subscription, tip },
  ...terms
}: HelpTerms): readonly HelpQuestion[] => [
  {
    side: 'fan',
    title: texts.addFundsQuestion,
    answer: formatText(texts.addFundsAnswer, { feePercent: DEPOSIT_FEE_PERCENT }),
  },
  {
    side: 'fan',
    title: texts.missingDepositQuestion,
    answer: texts.missingDepositAnswer,
  },
  {
    side: 'fan',
    title: texts.postPricesQuestion,
    answer: formatText(texts.postPricesAnswer, { priceRange: formatRange(post) }),
  },
  {
    side: 'fan',
    title: texts.callChargesQuestion,
    answer: formatText(texts.callChargesAnswer, {
      freeSeconds: CALL_LIMITS.freeSeconds,
      holdMinutes: CALL_LIMITS.holdMinutes,
    }),
  },
  {
    side: 'fan',
    title: texts.tipsQuestion,
    answer: formatText(texts.tipsAnswer, { priceRange: formatRange(tip) }),
  },
  {
    side: 'fan',
    title: texts.subscriptionsQuestion,
    answer: formatText(texts.subscriptionsAnswer, { trialDays: terms.trialDaysMax }),
  },
  { side: 'fan', title: texts.offersQuestion, answer: texts.offersAnswer },
  {
    side: 'fan',
    title: texts.cancelQuestion,
    answer: formatText(texts.cancelAnswer, {
      refund:
        terms.subscriptionRefundHours > 0
          ? formatText(texts.subscriptionRefund, { hours: terms.subscriptionRefundHours })
          : '',
    }),
  },
  {
    side: 'fan',
    title: texts.failedRenewalQuestion,
    answer: formatText(texts.failedRenewalAnswer, { days: terms.renewalGraceDays }),
  },
  {
    side: 'creator',
    title: texts.tiersQuestion,
    answer: formatText(texts.tiersAnswer, { priceRange: formatRange(subscription) }),
  },
  {
    side: 'creator',
    title: texts.feesQuestion,
    answer: formatText(texts.feesAnswer, { terms: formatFeeShare(terms) }),
  },
  {
    side: 'creator',
    title: texts.payoutsQuestion,
    answer: formatText(texts.payoutsAnswer, {
      clearingDays: terms.clearingDays,
      payoutMinimum: formatUsd(terms.payoutMinimum),
      cryptoMinimum: formatUsd(terms.cryptoMinimum),
      coolingHours: terms.coolingHours,
    }),
  },
  {
    side: 'creator',
    title: texts.verificationQuestion,
    answer: formatText(texts.verificationAnswer, {
      purpose: terms.isVerificationRequiredToPost ? texts.verifiedToPublish : texts.verifiedToSell,
      answerDays: VERIFICATION_LIMITS.answerDays,
      retentionDays: VERIFICATION_LIMITS.retentionDays,
    }),
  },
  {
    side: 'creator',
    title: texts.harassmentQuestion,
    answer: texts.creatorHarassmentAnswer,
  },
  {
    side: 'fan',
    title: texts.harassmentQuestion,
    answer: texts.fanHarassmentAnswer,
  },
  {
    title: texts.reportsQuestion,
    answer: formatText(texts.reportsAnswer, { months: APPEAL_MONTHS }),
  },
  {
    title: texts.appealsQuestion,
    answer: formatText(texts.appealsAnswer, { months: APPEAL_MONTHS }),
  },
  {
    title: texts.protectAccountQuestion,
    answer: texts.protectAccountAnswer,
  },
  {
    title: texts.loginQuestion,
    answer: texts.loginAnswer,
  },
  {
    title: texts.fewerNotificationsQuestion,
    answer: texts.fewerNotificationsAnswer,
  },
];

export function searchHelpQuestions(
  side: 'fan' | 'creator',
  search: string,
  terms: HelpTerms,
): readonly HelpQuestion[] {
  const searchTerms = foldText(search).split(/\s+/).filter(Boolean);
  return listHelpQuestions(terms).filter((question) => {
    const text = foldText(`${question.title} ${question.answer}`);
    return (question.side ?? side) === side && searchTerms.every((term) => text.includes(term));
  });
}
