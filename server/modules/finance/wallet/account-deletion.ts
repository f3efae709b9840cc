/**
 * Money in the wallet or in earnings blocks account deletion until it is spent, repaid or paid out. Amounts too small
 * for that are forfeited.
 */

import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { asCents, formatCents, toCents } from '@stagedoor/contract/shared/money.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { getEarningsBalance, getFanWallet, loadPriceLimits } from '../../commerce/sales/index.ts';
import { registerDeletionStep } from '../../identity/account-deletion/index.ts';
import { getMinimum, loadPayoutSettings } from '../payouts/index.ts';
import * as texts from './texts.ts';

async function listFanObstacles(db: Executor, fanId: string, at: Date): Promise<string[]> {
  const { availableCents, heldCents, owedCents } = await getFanWallet(db, fanId, at);
  const { tip, post, chatMedia, callRate } = await loadPriceLimits(db);
  return [
    ...(owedCents > 0 ? [formatText(texts.deletionBlockedByDebt, { debt: formatCents(owedCents) })] : []),
    ...(heldCents > 0 ? [formatText(texts.deletionBlockedByHold, { hold: formatCents(heldCents) })] : []),
    ...(availableCents >= toCents(Math.min(tip.min, post.min, chatMedia.min, callRate.min))
      ? [formatText(texts.deletionBlockedByWallet, { balance: formatCents(availableCents) })]
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
      ? formatText(texts.deletionBlockedByPending, { earnings: formatCents(pendingCents) })
      : formatText(texts.deletionBlockedByEarnings, { earnings: formatCents(availableCents) }),
  ];
}

async function listForfeited(db: Executor, creatorId: string, at: Date): Promise<string[]> {
  const { pendingCents, availableCents } = await getEarningsBalance(db, creatorId, at);
  const cents = asCents(pendingCents + availableCents);
  if (cents <= 0 || cents >= (await getPayoutMinimum(db))) return [];
  return [formatText(texts.earningsForfeited, { earnings: formatCents(cents) })];
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
