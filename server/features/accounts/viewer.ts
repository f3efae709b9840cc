/** The current user as they see themselves: their account and, for a fan, what they can spend. */
import type { Viewer } from '@stagedoor/contract/accounts.ts';
import type { Context } from '../../kernel/context.ts';
import type { Actor } from '../../kernel/session.ts';
import { account, balanceOf } from '../ledger/index.ts';
import { accessOwnAccount } from './access.ts';
import { presentViewer } from './present.ts';

/** Throws UNAUTHORIZED if the account is gone, account_blocked if it was blocked meanwhile. */
export async function viewerOf(ctx: Pick<Context, 'db'>, actor: Actor): Promise<Viewer> {
  const user = await accessOwnAccount(ctx.db, actor);
  const depositCents = user.type === 'customer' ? await balanceOf(ctx.db, account.wallet(user.id)) : 0;
  return presentViewer(user, depositCents);
}
