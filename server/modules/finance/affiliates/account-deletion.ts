/**
 * Referral earnings block account deletion while they can be claimed. Pending earnings only delay it, because new ones
 * may arrive every day. New earnings end on the deletion date, and amounts below the minimum are forfeited.
 */

import { UNCLAIMED_BALANCE_DAYS } from '@stagedoor/contract/identity/account-deletion.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { asCents, formatCents } from '@stagedoor/contract/shared/money.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { endCommissions } from '../../commerce/sales/index.ts';
import { type DeletionMoment, type LeavingUser, registerDeletionStep } from '../../identity/account-deletion/index.ts';
import { getMinimum, loadPayoutSettings } from '../payouts/index.ts';
import { deleteCode } from './codes.ts';
import { getAffiliateFigures, loadAffiliateSettings } from './figures.ts';
import * as texts from './texts.ts';

async function getRemaining(db: Executor, affiliateId: string) {
  const { customer, creator, eligibleCents, owedCents } = await getAffiliateFigures(db, affiliateId);
  const pendingCents = asCents(customer.pendingCents + creator.pendingCents);
  // A debt is deducted from the available amount. If nothing is available, pending money pays the debt first.
  const owedFromPending = eligibleCents > 0 ? 0 : owedCents;
  return { pendingCents, cents: asCents(Math.max(0, eligibleCents + pendingCents - owedFromPending)) };
}

async function getClaimMinimum(db: Executor, { type }: LeavingUser): Promise<number> {
  if (type === 'customer') return (await loadAffiliateSettings(db)).moveMinCents;
  const settings = await loadPayoutSettings(db);
  return Math.min(getMinimum(settings, 'referrals', 'ach'), getMinimum(settings, 'referrals', 'crypto'));
}

async function listClaimable(db: Executor, leavingUser: LeavingUser): Promise<string[]> {
  const { eligibleCents } = await getAffiliateFigures(db, leavingUser.userId);
  if (eligibleCents < (await getClaimMinimum(db, leavingUser))) return [];
  const instruction = leavingUser.type === 'customer' ? texts.moveToBalanceInstruction : texts.withdrawInstruction;
  return [formatText(texts.claimReferralEarningsFirst, { amount: formatCents(eligibleCents), instruction })];
}

async function listObstacles(db: Executor, leavingUser: LeavingUser, moment: DeletionMoment): Promise<string[]> {
  if (moment === 'requested') return listClaimable(db, leavingUser);
  const { pendingCents, cents } = await getRemaining(db, leavingUser.userId);
  const isWaiting = pendingCents > 0 && cents >= (await getClaimMinimum(db, leavingUser));
  return isWaiting ? [formatText(texts.referralEarningsPending, { amount: formatCents(pendingCents) })] : [];
}

async function listConsequences(db: Executor, leavingUser: LeavingUser): Promise<string[]> {
  const { pendingCents, cents } = await getRemaining(db, leavingUser.userId);
  if (cents >= (await getClaimMinimum(db, leavingUser)))
    return pendingCents > 0
      ? [
          formatText(texts.pendingEarningsForfeiture, {
            amount: formatCents(pendingCents),
            days: UNCLAIMED_BALANCE_DAYS,
          }),
        ]
      : [];
  if (cents === 0) return [];
  return [formatText(texts.earningsBelowMinimumForfeiture, { amount: formatCents(cents) })];
}

export function registerAffiliateDeletion(ctx: Context): void {
  registerDeletionStep(ctx, 'affiliates', {
    listObstacles,
    listConsequences,
    beforeDeletion: (db, { userId }) => endCommissions(db, userId, ctx.clock.now()),
    listUnclaimed: listClaimable,
    erase: async ({ db, clock }, { userId }) => {
      await endCommissions(db, userId, clock.now());
      await deleteCode(db, userId);
    },
  });
}
