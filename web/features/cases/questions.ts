/** The help questions and answers. Amounts come from the operator's settings, so that answers never go out of date. */
import { DEPOSIT_FEE_PERCENT } from '@stagedoor/contract/atoms/limits.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { PriceLimit } from '@stagedoor/contract/atoms/prices.ts';
import { CALL, VERIFICATION } from '@stagedoor/contract/atoms/room-limits.ts';
import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import { APPEAL_MONTHS } from '@stagedoor/contract/case-kinds.ts';
import { type houseTerms, offerOf } from '@stagedoor/contract/policies.ts';

export type Question = { readonly ask: string; readonly answer: string; readonly side?: 'fan' | 'creator' };

export type Terms = Pick<
  ResponseOf<typeof houseTerms>,
  | 'generalFee'
  | 'offerFee'
  | 'offerDays'
  | 'clearingDays'
  | 'payoutMinimum'
  | 'cryptoMinimum'
  | 'coolingHours'
  | 'prices'
>;
const from = ({ min, max }: PriceLimit) => `from ${formatUsd(min)} to ${formatUsd(max)}`;

function weKeep(terms: Omit<Terms, 'prices'>): string {
  const offer = offerOf(terms);
  return `${terms.generalFee}% of each sale${offer ? `, and ${offer.fee}% in your first ${offer.days} days` : ''}.`;
}

export const questions = ({ prices: { post, tip }, ...terms }: Terms): readonly Question[] => [
  {
    side: 'fan',
    ask: 'How do I add funds?',
    answer: `Open your wallet and select Add funds. You see what you get, the card fee of ${DEPOSIT_FEE_PERCENT}% and what you pay before you enter your card. Your balance updates once the payment is confirmed.`,
  },
  {
    side: 'fan',
    ask: 'I paid but my balance hasn’t changed. What should I do?',
    answer:
      'It usually takes seconds, sometimes a few minutes. Until then your wallet shows the deposit as requested. If it’s still pending after an hour, contact us with the date and amount.',
  },
  {
    side: 'fan',
    ask: 'How much do posts cost, and do I keep them?',
    answer: `Paid posts cost ${from(post)}. The price is on the button. Posts you unlocked stay in your media even if the creator deletes them. We only remove content that breaks the law or our rules.`,
  },
  {
    side: 'fan',
    ask: 'How are calls charged?',
    answer: `By the second, while you’re both connected. Calls under ${CALL.freeSeconds} seconds are free. When a call starts we hold the price of ${CALL.holdMinutes} minutes; unused funds are released right away, and you get a detailed receipt.`,
  },
  {
    side: 'fan',
    ask: 'How much can I tip?',
    answer: `You can tip ${from(tip)} on a profile, a post, in chat and during a call. The creator is notified right away.`,
  },
  {
    side: 'creator',
    ask: 'How much does Stagedoor take?',
    answer: `${weKeep(terms)} See your current fee and a price calculator under Fees and prices.`,
  },
  {
    side: 'creator',
    ask: 'When can I get paid?',
    answer: `Your earnings clear after ${terms.clearingDays} days; each transaction shows its date. You can request a payout from ${formatUsd(terms.payoutMinimum)} (${formatUsd(terms.cryptoMinimum)} for crypto). New payout methods are available after ${terms.coolingHours} hours.`,
  },
  {
    side: 'creator',
    ask: 'How do I get verified?',
    answer: `Open Verification in Settings. You need to enter your details, upload a photo of your ID and a selfie, and sign the agreement. We reply within ${VERIFICATION.answerDays} business days. Your selfie is deleted ${VERIFICATION.keptDays} days after the decision.`,
  },
  {
    side: 'creator',
    ask: 'Someone is bothering me. What can I do?',
    answer:
      'Block them from the chat details. Neither of you can message, tip or call until you unblock. You can also report the message, call or profile, and our team will review it. We won’t tell them who reported them.',
  },
  {
    side: 'fan',
    ask: 'Someone is bothering me. What can I do?',
    answer:
      'Block them from the chat details. Neither of you can message or call until you unblock. You can also report the message, call or profile, and our team will review it. We won’t tell them who reported them.',
  },
  {
    ask: 'What happens when I report something?',
    answer: `Our team reviews it within a day. We’ll notify you of the outcome. You can see your reports here. If we took no action, you can request one review within ${APPEAL_MONTHS} months. Reports of the same content are reviewed together.`,
  },
  {
    ask: 'How do I appeal a decision?',
    answer: `Every decision is listed here under Decisions, with its reason. You can appeal within ${APPEAL_MONTHS} months, and a different person reviews it. If you can’t log in, follow the instructions on the login page to appeal.`,
  },
  {
    ask: 'How do I protect my account?',
    answer:
      'Turn on two-factor authentication in Settings and save your recovery codes. There you can also see your logged-in devices and log them out. We’ll never ask for your password.',
  },
  {
    ask: 'I can’t log in',
    answer:
      'Reset your password on the login page. We’ll send a link to your account’s email. If you can’t use your two-factor authentication app, use one of your recovery codes.',
  },
  {
    ask: 'How do I get fewer notifications?',
    answer: 'In Notification settings, choose push, email or in-app for each type, and set quiet hours.',
  },
];

export function questionsFor(side: 'fan' | 'creator', search: string, terms: Terms): readonly Question[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return questions(terms).filter((question) => {
    const said = `${question.ask} ${question.answer}`.toLowerCase();
    return (question.side ?? side) === side && words.every((word) => said.includes(word));
  });
}
