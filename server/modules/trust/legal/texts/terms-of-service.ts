import { ACCOUNT_DELETION_DAYS, UNCLAIMED_BALANCE_DAYS } from '@stagedoor/contract/identity/account-deletion.ts';
import {
  CREDIT_PRICE_CENTS,
  CREDIT_VALUE_CENTS,
  DEPOSIT_FEE_PERCENT,
  RENEWAL_REMINDER,
} from '@stagedoor/contract/shared/limits.ts';
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { formatCents, formatUsd } from '@stagedoor/contract/shared/money.ts';
import { createSection, getCompanyName, keepStrings, type Policy } from './text.ts';

export const termsOfService: Policy = {
  title: 'Terms of service',
  lead: 'What you can expect of us, and we of you. Written to be read.',
  versions: [
    {
      version: '2026-11-23',
      changes: 'The first version.',
      requiresAgreement: true,
      write: ({ companyDetails, terms }) => [
        createSection('Who can use Stagedoor', [
          'Stagedoor is for adults: you are 18 or older, or as old as the law where you live asks, whichever is more. One person has one account of a kind, and keeps its password to themselves.',
          'Whoever sells here has shown who they are and signed the creator agreement at /creator-agreement. What’s not allowed is described in the community guidelines at /community-rules.',
        ]),
        createSection('Your balance', [
          `You add funds in US dollars: one credit costs ${formatCents(CREDIT_PRICE_CENTS)} and adds ${formatCents(CREDIT_VALUE_CENTS)} to your balance, between ${formatUsd(terms.prices.addFunds.min)} and ${formatUsd(terms.prices.addFunds.max)} at once. The difference of ${DEPOSIT_FEE_PERCENT}% is the card fee. What you get, the fee and what you pay stand beside each other before you pay.`,
          'Your balance can only be used on Stagedoor, earns no interest and can’t be transferred.',
          `In a day you can spend ${formatUsd(terms.dailySpend)} at most, or less if you set it so.`,
        ]),
        createSection('What you buy', [
          'The price stands on the button. A post or a picture in chat that you opened stays open for you as long as your account exists, also when its creator takes it down; what is marked “view once” opens once, and says so before.',
          `Calls are charged by the second in which both of you are connected, at the rate shown before. Worth of ${CALL_LIMITS.holdMinutes} minutes is set aside when it begins, and what is not used comes back at once. Under ${CALL_LIMITS.freeSeconds} seconds it is free.`,
          'Tips are gifts.',
        ]),
        createSection(
          'Subscriptions',
          [
            `A subscription opens what its tier names for a week, a month, a year or several months, at ${formatUsd(terms.prices.subscription.min)} to ${formatUsd(terms.prices.subscription.max)} a week or month. It renews at the same price until you cancel, from your balance or, if you chose so, by your card with the fee that was shown. What you pay today, the next charge and its date are shown before you subscribe.`,
          ],
          {
            points: [
              'You can cancel at any time, in one step. Access lasts until the end of the period that you paid for, and nothing is charged after that.',
              `A free trial lasts up to ${terms.trialDaysMax} days, as stated before you start it. Cancel before it ends and you pay nothing. Otherwise the first period is charged when it ends.`,
              'A creator can offer a discount on the first payments, by a link or a code. You see the discounted price, for how many payments it applies and the full price after it before you subscribe. You can use each offer once. Another tier starts without it, and so do subscriptions that you give to others.',
              `We remind you three days before a renewal of ${formatCents(RENEWAL_REMINDER.minCents)} and more, before each yearly one, before a trial ends and before the first payment at the full price after a discount.`,
              `If your balance doesn’t cover a renewal, we try again for ${terms.renewalGraceDays} days. You keep access meanwhile, and your balance is never overdrawn. Then the subscription ends.`,
              'A card is charged by our payment processor every 7, 30, 90, 180 or 365 days. If it is declined, the processor tries again, or you pay from your balance. A payment that comes after the end of your subscription is added to your balance.',
              'A higher price applies to you only from a renewal at least 30 days after we told you, and only if you accept it. Without your acceptance the subscription ends before it is charged. A lower price applies from the next renewal. Subscriptions by card keep their price.',
              ...(terms.subscriptionRefundHours > 0
                ? [
                    `A charge is refunded within ${terms.subscriptionRefundHours} hours to your balance, without a card’s fee, if you opened nothing of the creator since. Your access then ends.`,
                  ]
                : []),
              'If you change to another tier, the current one ends and the rest of its period is refunded to your balance by time: at most the new charge if you opened something of the creator in it. That new charge is then not refunded.',
              'If the creator ends your subscription, closes their account or can no longer sell, the rest of the period is refunded to your balance by time.',
            ],
          },
        ),
        createSection(
          'Refunds',
          ['Digital content can’t be returned once unlocked; you agree to that when you press the button.'],
          {
            points: [
              'What does not open, or is not what its title said, is given back to your balance when you tell us.',
              'A call that dropped costs the seconds that you were connected.',
              'A deposit that you did not make is given back to the card when its bank confirms it.',
              'A payment that is taken back from us after it was spent leaves a debt: spending waits until it is paid.',
            ],
          },
        ),
        createSection('What you post and write', [
          'It stays yours. You let us store, convert and show it to those it is for, for as long as it is here and for those who bought it.',
          'You do not copy, record or pass on what others show you. Copies carry marks that tell whose they are.',
        ]),
        createSection('What we may do', [
          'We may take something down or limit or end an account that breaks the law or the community guidelines. You are told what was decided and why, and can answer; somebody else then looks at it.',
          'We may change fees and limits for what is bought afterwards. What was agreed before keeps its terms.',
        ]),
        createSection('Leaving', [
          `You close your account in your settings whenever you like, once what is yours is spent or paid out. A log-in within ${ACCOUNT_DELETION_DAYS} days takes it back. Referral earnings that have not cleared by then are waited for, and are yours to take for ${UNCLAIMED_BALANCE_DAYS} days more; then you give them up.`,
        ]),
        createSection('What we answer for', [
          'We keep the books exact to the cent and your work safe with reasonable care. We do not answer for what creators and fans promise each other, nor for what nobody could have helped. Nothing here takes away a right that the law gives you.',
        ]),
        createSection(
          'Who we are',
          keepStrings(
            `${getCompanyName(companyDetails)} runs this site.`,
            companyDetails.address !== '' && `Address: ${companyDetails.address}.`,
            companyDetails.country !== '' &&
              `The law of ${companyDetails.country} applies, without limiting mandatory consumer protections where you live.`,
            'Write to us at /contact-us; about something shown here, at /complaints.',
          ),
        ),
        createSection('When this changes', [
          'A new version says what is different. You are asked at your next log-in where your agreement is needed, and can leave instead.',
        ]),
      ],
    },
  ],
};
