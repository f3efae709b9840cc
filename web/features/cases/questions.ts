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
    answer: `Open your wallet and press Add funds. You see what you get, the card fee of ${DEPOSIT_FEE_PERCENT}% and what you pay before you go to the card page. Your balance rises once the payment processor has told us that the card was charged.`,
  },
  {
    side: 'fan',
    ask: 'I paid, and my balance has not changed. What now?',
    answer:
      'Usually it takes seconds, seldom some minutes. Your wallet shows the deposit as requested until the processor has answered. If it stands there for longer than an hour, write to us with its date and sum.',
  },
  {
    side: 'fan',
    ask: 'What does a post cost, and is it mine for good?',
    answer: `Paid posts cost ${from(post)}; the price stands on the button. What you bought stays in your media when its creator takes the post down. Only what breaks the law or our rules is taken from everybody.`,
  },
  {
    side: 'fan',
    ask: 'How is a call charged?',
    answer: `By the second, while both of you are connected. A call under ${CALL.freeSeconds} seconds is free. At the start we set ${CALL.holdMinutes} minutes’ worth aside; what was not talked comes back at once, and the receipt shows every moment.`,
  },
  {
    side: 'fan',
    ask: 'How much can I tip?',
    answer: `A tip is ${from(tip)}: on a profile, under a post, in chat and during a call. The creator is told at once.`,
  },
  {
    side: 'creator',
    ask: 'What does Stagedoor keep of what I earn?',
    answer: `${weKeep(terms)} Your fees page shows what is in force for you, and works prices out both ways.`,
  },
  {
    side: 'creator',
    ask: 'When can I be paid out?',
    answer: `What you earn clears after ${terms.clearingDays} days; each line says when. From ${formatUsd(terms.payoutMinimum)} on (${formatUsd(terms.cryptoMinimum)} for crypto) you can request a payout. A new payout method waits ${terms.coolingHours} hours before money goes there.`,
  },
  {
    side: 'creator',
    ask: 'How do I get verified?',
    answer: `Open Verification in your settings: your details, a picture of your document, one of yourself, and the agreement. We answer within ${VERIFICATION.answerDays} business days. The picture of your face is deleted ${VERIFICATION.keptDays} days after the decision.`,
  },
  {
    side: 'creator',
    ask: 'Somebody bothers me. What can I do?',
    answer:
      'Block them in the conversation’s details: neither of you can write, tip or call until you unblock. Report the message, the call or the profile, and a person looks at it. They are not told who reported them.',
  },
  {
    side: 'fan',
    ask: 'Somebody bothers me. What can I do?',
    answer:
      'Block them in the conversation’s details: neither of you can write or call until you unblock. Report the message, the call or the profile, and a person looks at it. They are not told who reported them.',
  },
  {
    ask: 'What happens when I report something?',
    answer: `A person looks at it within a day. You are told in your alerts whether something was done, and what you reported stands here. Where nothing was done you can ask for a second look, once, for ${APPEAL_MONTHS} months. Reports of the same thing are looked at together.`,
  },
  {
    ask: 'Something was decided about me. How do I appeal?',
    answer: `Every decision stands here under Decisions, with its reason. For ${APPEAL_MONTHS} months you can appeal against it, and somebody else than who decided looks at it. If you cannot log in, the log-in says why, and what you write there is your appeal.`,
  },
  {
    ask: 'How do I protect my account?',
    answer:
      'Switch two-factor log-in on in your account, and keep the recovery codes. There you also see the devices that are logged in, and end them. We never ask for your password.',
  },
  {
    ask: 'I cannot log in any more.',
    answer:
      'Ask for a new password on the log-in page: the link goes to the address of your account. If you have lost your second factor, use one of your recovery codes.',
  },
  {
    ask: 'How do I get fewer alerts?',
    answer:
      'On your alerts page you choose for each kind whether it reaches you by push, by mail or only in the app, and when it is quiet.',
  },
];

export function questionsFor(side: 'fan' | 'creator', search: string, terms: Terms): readonly Question[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return questions(terms).filter((question) => {
    const said = `${question.ask} ${question.answer}`.toLowerCase();
    return (question.side ?? side) === side && words.every((word) => said.includes(word));
  });
}
