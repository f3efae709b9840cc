/**
 * Referral earnings block account deletion while they can be claimed. Pending earnings only delay it, because new ones
 * may arrive every day. New earnings end on the deletion date, and amounts below the minimum are forfeited.
 */
import { asCents, formatCents } from '@stagedoor/contract/atoms/money.ts';
import { UNCLAIMED_DAYS } from '@stagedoor/contract/closing.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';
import { type Leaver, type Moment, registerClosing } from '../closing/index.ts';
import { minimumOf, payoutSettings } from '../payouts/index.ts';
import { endCommissions } from '../sales/index.ts';
import { forgetCode } from './codes.ts';
import { affiliateSettings, figuresOf } from './figures.ts';

async function leftOf(db: Executor, affiliateId: string) {
  const { customer, creator, eligibleCents, owedCents } = await figuresOf(db, affiliateId);
  const pendingCents = asCents(customer.pendingCents + creator.pendingCents);
  // A debt is deducted from the available amount. If nothing is available, pending money pays the debt first.
  const owedOfPending = eligibleCents > 0 ? 0 : owedCents;
  return { pendingCents, cents: asCents(Math.max(0, eligibleCents + pendingCents - owedOfPending)) };
}

async function leastFor(db: Executor, { type }: Leaver): Promise<number> {
  if (type === 'customer') return (await affiliateSettings(db)).moveMinCents;
  const settings = await payoutSettings(db);
  return Math.min(minimumOf(settings, 'referrals', 'ach'), minimumOf(settings, 'referrals', 'crypto'));
}

async function toTake(db: Executor, leaver: Leaver): Promise<string[]> {
  const { eligibleCents } = await figuresOf(db, leaver.userId);
  if (eligibleCents < (await leastFor(db, leaver))) return [];
  const way = leaver.type === 'customer' ? 'Move it to your balance' : 'Withdraw it';
  return [`Your referrals earned you ${formatCents(eligibleCents)}. ${way} first.`];
}

async function hindrancesOf(db: Executor, leaver: Leaver, moment: Moment): Promise<string[]> {
  if (moment === 'asked') return toTake(db, leaver);
  const { pendingCents, cents } = await leftOf(db, leaver.userId);
  const isWaiting = pendingCents > 0 && cents >= (await leastFor(db, leaver));
  return isWaiting ? [`${formatCents(pendingCents)} of your referral earnings haven’t cleared yet.`] : [];
}

async function consequencesOf(db: Executor, leaver: Leaver): Promise<string[]> {
  const { pendingCents, cents } = await leftOf(db, leaver.userId);
  if (cents >= (await leastFor(db, leaver)))
    return pendingCents > 0
      ? [
          `${formatCents(pendingCents)} of your referral earnings haven’t cleared yet. We’ll email you when they clear. You then have ${UNCLAIMED_DAYS} days to withdraw them before they’re forfeited.`,
        ]
      : [];
  if (cents === 0) return [];
  return [`Your referrals earned you ${formatCents(cents)}, below the minimum withdrawal, so it will be forfeited.`];
}

export function registerAffiliateClosing(ctx: Context): void {
  registerClosing(ctx, 'affiliates', {
    hindrances: hindrancesOf,
    consequences: consequencesOf,
    end: (db, { userId }) => endCommissions(db, userId, ctx.clock.now()),
    unclaimed: toTake,
    erase: async ({ db, clock }, { userId }) => {
      await endCommissions(db, userId, clock.now());
      await forgetCode(db, userId);
    },
  });
}
