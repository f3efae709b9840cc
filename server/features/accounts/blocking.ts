/** Blocking an account, by an operator. It ends wherever the person is logged in; a log-in is told why there is none. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { Context } from '../../kernel/context.ts';
import './events.ts';
import { forgetSessions } from './sessions.ts';
import * as store from './store.ts';

/**
 * Blocks an account: its sessions and sockets end, its pages go, nobody can pay it, and it can log in no more. Again, it stays
 * blocked. `reason` is for the operators and never leaves. Throws NOT_FOUND.
 */
export async function blockAccount(ctx: Context, userId: string, reason: string): Promise<void> {
  const ended = await ctx.db.transaction(async (tx) => {
    const user = await store.lockUser(tx, userId);
    if (!user) throw new AppError('NOT_FOUND');
    // Who was about to close their account does not take back this block by logging in.
    if (user.is_closing) await store.updateUser(tx, userId, { is_closing: false });
    if (!user.is_blocked) {
      await store.updateUser(tx, userId, { is_blocked: true });
      await tx.emit('account.blocked', { userId, type: user.type, username: user.username, reason });
    }
    return store.deleteSessions(tx, userId);
  });
  forgetSessions(ctx, ended);
  ctx.sessions.forget({ userIds: [userId] });
  ctx.realtime.disconnect({ userIds: [userId] });
  ctx.security.note({ kind: 'accountBlocked', userId });
  ctx.log.warn({ userId, reason }, 'an account was blocked');
}
