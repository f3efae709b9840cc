import { toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { Context } from '../../kernel/context.ts';
import type { Actor } from '../../kernel/session.ts';
import { account, balanceOf } from '../ledger/index.ts';
export const viewTransactions = async (_c: Context, _a: Actor, _q: unknown): Promise<never> => {
  throw new Error('to come');
};
export const viewWallet = async (ctx: Context, a: Actor) => ({
  available: toUsd(await balanceOf(ctx.db, account.wallet(a.userId))),
  held: 0,
  spentToday: 0,
  dailyLimit: 500,
});
