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
            `A subscription gives you access to what its tier lists for a week, a month, several months or a year, at ${formatUsd(terms.prices.subscription.min)} to ${formatUsd(terms.prices.subscription.max)} a week or month. It renews at the same price until you cancel. You pay from your balance or, if you choose, by card with the fee shown. Before you subscribe, you see what you pay today, the next charge and its date.`,
          ],
          {
            points: [
              'You can cancel at any time, in one step. You keep access until the end of the period you paid for, and you aren’t charged after that.',
              `A free trial lasts up to ${terms.trialDaysMax} days; you see how many before you start it. If you cancel before it ends, you pay nothing. Otherwise you’re charged for the first period when the trial ends.`,
              'Creators can offer a discount on your first payments with a link or a code. Before you subscribe, you see the discounted price, how many payments it covers and the full price after that. You can use each offer once. A discount doesn’t carry over to another tier and doesn’t apply to gifts.',
              `We remind you three days before a renewal of ${formatCents(RENEWAL_REMINDER.minCents)} or more, a yearly renewal, the end of a trial and the first full-price payment after a discount.`,
              `If your balance doesn’t cover a renewal, we try again for ${terms.renewalGraceDays} days. You keep access during that time, and your balance never goes below zero. If the renewal still isn’t paid, the subscription ends.`,
              'If you pay by card, our payment processor charges it every 7, 30, 90, 180 or 365 days. If your card is declined, the processor tries again, and you can also pay from your balance. A card payment that arrives after your subscription has ended is added to your balance.',
              'A higher price applies only if you accept it, and only from a renewal at least 30 days after we notify you. If you don’t accept it, the subscription ends before you’re charged. A lower price applies from your next renewal. Subscriptions paid by card keep their price.',
              ...(terms.subscriptionRefundHours > 0
                ? [
                    `You can get a charge refunded to your balance within ${terms.subscriptionRefundHours} hours if you’ve opened none of the creator’s content since. The card fee isn’t refunded, and your access ends.`,
                  ]
                : []),
              'If you change to another tier, the current one ends and the unused part of its period is refunded to your balance. If you opened any of the creator’s content in that period, the refund is at most the new charge, and the new charge can’t be refunded.',
              'If the creator ends your subscription, closes their account or can no longer sell, the unused part of the period is refunded to your balance.',
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
