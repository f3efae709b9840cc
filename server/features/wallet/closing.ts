/**
 * Money in the wallet or in earnings blocks account deletion until it is spent, repaid or paid out. Amounts too small
 * for that are forfeited.
 */
import { asCents, formatCents, toCents } from '@stagedoor/contract/atoms/money.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';
import { registerClosing } from '../closing/index.ts';
import { minimumOf, payoutSettings } from '../payouts/index.ts';
import { creatorBalance, priceLimits, walletOf } from '../sales/index.ts';

async function ofFan(db: Executor, fanId: string, at: Date): Promise<string[]> {
  const { availableCents, heldCents, owedCents } = await walletOf(db, fanId, at);
  const { tip, post, chatMedia, callRate } = await priceLimits(db);
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

async function leastPaid(db: Executor): Promise<number> {
  const settings = await payoutSettings(db);
  return Math.min(minimumOf(settings, 'earnings', 'ach'), minimumOf(settings, 'earnings', 'crypto'));
}

async function ofCreator(db: Executor, creatorId: string, at: Date): Promise<string[]> {
  const { pendingCents, availableCents } = await creatorBalance(db, creatorId, at);
  if (pendingCents + availableCents < (await leastPaid(db))) return [];
  return [
    pendingCents > 0
      ? `${formatCents(pendingCents)} of your earnings is still pending. Wait for it to clear, then request a payout.`
      : `You have ${formatCents(availableCents)} in available earnings. Request a payout first.`,
  ];
}

async function givenUp(db: Executor, creatorId: string, at: Date): Promise<string[]> {
  const { pendingCents, availableCents } = await creatorBalance(db, creatorId, at);
  const cents = asCents(pendingCents + availableCents);
  if (cents <= 0 || cents >= (await leastPaid(db))) return [];
  return [`You have earned ${formatCents(cents)}. That’s below the minimum payout, so it will be forfeited.`];
}

export function registerWalletClosing(ctx: Context): void {
  registerClosing(ctx, 'wallet', {
    hindrances: (db, { userId, type }) =>
      type === 'creator' ? ofCreator(db, userId, ctx.clock.now()) : ofFan(db, userId, ctx.clock.now()),
    consequences: async (db, { userId, type }) => (type === 'creator' ? givenUp(db, userId, ctx.clock.now()) : []),
  });
}
