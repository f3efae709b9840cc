/** The help questions and answers. Amounts come from the operator's settings, so that answers never go out of date. */

import { findNewCreatorOffer, type getPlatformTerms } from '@stagedoor/contract/finance/pricing.ts';
import { DEPOSIT_FEE_PERCENT } from '@stagedoor/contract/shared/limits.ts';
import { CALL_LIMITS, VERIFICATION_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import type { PriceLimit } from '@stagedoor/contract/shared/prices.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { APPEAL_MONTHS } from '@stagedoor/contract/trust/case-kinds.ts';

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
>;
const formatRange = ({ min, max }: PriceLimit) => `from ${formatUsd(min)} to ${formatUsd(max)}`;

function formatFeeShare(terms: Omit<HelpTerms, 'prices'>): string {
  const offer = findNewCreatorOffer(terms);
  return `${terms.generalFee}% of each sale${offer ? `, and ${offer.fee}% in your first ${offer.days} days` : ''}.`;
}

export const listHelpQuestions = ({ prices: { post, tip }, ...terms }: HelpTerms): readonly HelpQuestion[] => [
  {
    side: 'fan',
    title: 'How do I add funds?',
    answer: `Open your wallet and select Add funds. You see what you get, the card fee of ${DEPOSIT_FEE_PERCENT}% and what you pay before you enter your card. Your balance updates once the payment is confirmed.`,
  },
  {
    side: 'fan',
    title: 'I paid but my balance hasn’t changed. What should I do?',
    answer:
      'It usually takes seconds, sometimes a few minutes. Until then your wallet shows the deposit as requested. If it’s still pending after an hour, contact us with the date and amount.',
  },
  {
    side: 'fan',
    title: 'How much do posts cost, and do I keep them?',
    answer: `Paid posts cost ${formatRange(post)}. The price is on the button. Posts you unlocked stay in your media even if the creator deletes them. We only remove content that breaks the law or our rules.`,
  },
  {
    side: 'fan',
    title: 'How are calls charged?',
    answer: `By the second, while you’re both connected. Calls under ${CALL_LIMITS.freeSeconds} seconds are free. When a call starts we hold the price of ${CALL_LIMITS.holdMinutes} minutes; unused funds are released right away, and you get a detailed receipt.`,
  },
  {
    side: 'fan',
    title: 'How much can I tip?',
    answer: `You can tip ${formatRange(tip)} on a profile, a post, in chat and during a call. The creator is notified right away.`,
  },
  {
    side: 'creator',
    title: 'How much does Stagedoor take?',
    answer: `${formatFeeShare(terms)} See your current fee and a price calculator under Fees and prices.`,
  },
  {
    side: 'creator',
    title: 'When can I get paid?',
    answer: `Your earnings clear after ${terms.clearingDays} days; each transaction shows its date. You can request a payout from ${formatUsd(terms.payoutMinimum)} (${formatUsd(terms.cryptoMinimum)} for crypto). New payout methods are available after ${terms.coolingHours} hours.`,
  },
  {
    side: 'creator',
    title: 'How do I get verified?',
    answer: `Open Verification in Settings. You need to enter your details, upload a photo of your ID and a selfie, and sign the agreement. We reply within ${VERIFICATION_LIMITS.answerDays} business days. Your selfie is deleted ${VERIFICATION_LIMITS.retentionDays} days after the decision.`,
  },
  {
    side: 'creator',
    title: 'Someone is bothering me. What can I do?',
    answer:
      'Block them from the chat details. Neither of you can message, tip or call until you unblock. You can also report the message, call or profile, and our team will review it. We won’t tell them who reported them.',
  },
  {
    side: 'fan',
    title: 'Someone is bothering me. What can I do?',
    answer:
      'Block them from the chat details. Neither of you can message or call until you unblock. You can also report the message, call or profile, and our team will review it. We won’t tell them who reported them.',
  },
  {
    title: 'What happens when I report something?',
    answer: `Our team reviews it within a day. We’ll notify you of the outcome. You can see your reports here. If we took no action, you can request one review within ${APPEAL_MONTHS} months. Reports of the same content are reviewed together.`,
  },
  {
    title: 'How do I appeal a decision?',
    answer: `Every decision is listed here under Decisions, with its reason. You can appeal within ${APPEAL_MONTHS} months, and a different person reviews it. If you can’t log in, follow the instructions on the login page to appeal.`,
  },
  {
    title: 'How do I protect my account?',
    answer:
      'Turn on two-factor authentication in Settings and save your recovery codes. There you can also see your logged-in devices and log them out. We’ll never ask for your password.',
  },
  {
    title: 'I can’t log in',
    answer:
      'Reset your password on the login page. We’ll send a link to your account’s email. If you can’t use your two-factor authentication app, use one of your recovery codes.',
  },
  {
    title: 'How do I get fewer notifications?',
    answer: 'In Notification settings, choose push, email or in-app for each type, and set quiet hours.',
  },
];

export function searchHelpQuestions(
  side: 'fan' | 'creator',
  search: string,
  terms: HelpTerms,
): readonly HelpQuestion[] {
  const searchTerms = search.toLowerCase().split(/\s+/).filter(Boolean);
  return listHelpQuestions(terms).filter((question) => {
    const text = `${question.title} ${question.answer}`.toLowerCase();
    return (question.side ?? side) === side && searchTerms.every((term) => text.includes(term));
  });
}
