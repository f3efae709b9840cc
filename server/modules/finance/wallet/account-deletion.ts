/**
 * Money in the wallet or in earnings blocks account deletion until it is spent, repaid or paid out. Amounts too small
 * for that are forfeited.
 */
import { asCents, formatCents, toCents } from '@stagedoor/contract/shared/money.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { getEarningsBalance, getFanWallet, loadPriceLimits } from '../../commerce/sales/index.ts';
import { registerDeletionStep } from '../../identity/account-deletion/index.ts';
import { getMinimum, loadPayoutSettings } from '../payouts/index.ts';

async function listFanObstacles(db: Executor, fanId: string, at: Date): Promise<string[]> {
  const { availableCents, heldCents, owedCents } = await getFanWallet(db, fanId, at);
  const { tip, post, chatMedia, callRate } = await loadPriceLimits(db);
  return [
    ...(owedCents > 0 ? [`You owe ${formatCents(owedCents)} for a reversed payment. See your wallet.`] : []),
    ...(heldCents > 0
      ? [`${formatCents(heldCents)} is on hold for a call. It will be released when the call ends.`]
      : []),
    ...(availableCents >= toCents(Math.min(tip.min, post.min, chatMedia.min, callRate.min))
      ? [`You have ${formatCents(availableCents)} in your wallet. Spend it or ask us for a refund.`]
      : []),
  ];
}

async function getPayoutMinimum(db: Executor): Promise<number> {
  const settings = await loadPayoutSettings(db);
  return Math.min(getMinimum(settings, 'earnings', 'ach'), getMinimum(settings, 'earnings', 'crypto'));
}

async function listCreatorObstacles(db: Executor, creatorId: string, at: Date): Promise<string[]> {
  const { pendingCents, availableCents } = await getEarningsBalance(db, creatorId, at);
  if (pendingCents + availableCents < (await getPayoutMinimum(db))) return [];
  return [
    pendingCents > 0
      ? `${formatCents(pendingCents)} of your earnings is still pending. Wait for it to clear, then request a payout.`
      : `You have ${formatCents(availableCents)} in available earnings. Request a payout first.`,
  ];
}

async function listForfeited(db: Executor, creatorId: string, at: Date): Promise<string[]> {
  const { pendingCents, availableCents } = await getEarningsBalance(db, creatorId, at);
  const cents = asCents(pendingCents + availableCents);
  if (cents <= 0 || cents >= (await getPayoutMinimum(db))) return [];
  return [`You have earned ${formatCents(cents)}. That’s below the minimum payout, so it will be forfeited.`];
}

export function registerWalletDeletion(ctx: Context): void {
  registerDeletionStep(ctx, 'wallet', {
    listObstacles: (db, { userId, type }) =>
      type === 'creator'
        ? listCreatorObstacles(db, userId, ctx.clock.now())
        : listFanObstacles(db, userId, ctx.clock.now()),
    listConsequences: async (db, { userId, type }) =>
      type === 'creator' ? listForfeited(db, userId, ctx.clock.now()) : [],
  });
}
