/** Who may do what with an account: its owner, who for what matters most shows the password again. Deny by default. */
import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';
import type { Actor } from '../../kernel/session.ts';
import { clearAttempts, countAttempt } from './attempts.ts';
import { isPassword } from './passwords.ts';
import * as store from './store.ts';

/** The actor's own account. Throws UNAUTHORIZED if it is gone, account_blocked if it was blocked meanwhile. */
export async function accessOwnAccount(db: Executor, actor: Actor): Promise<store.User> {
  return allowed(await store.findUserById(db, actor.userId));
}

/** Like {@link accessOwnAccount}, locked until the transaction ends. */
export async function lockOwnAccount(tx: Executor, actor: Actor): Promise<store.User> {
  return allowed(await store.lockUser(tx, actor.userId));
}

function allowed(user: store.User | undefined): store.User {
  if (!user) throw new AppError('UNAUTHORIZED');
  if (user.is_blocked) throw new AppError('account_blocked');
  return user;
}

/** Ends one session of the actor's own; anybody else's looks like none. */
export async function endOwnSession(db: Executor, actor: Actor, id: string): Promise<void> {
  if (!(await store.deleteSession(db, actor.userId, id))) throw new AppError('NOT_FOUND');
}

/** Asks the owner for the present password. Throws VALIDATION on `currentPassword`, RATE_LIMITED after too many. */
export async function requirePassword(ctx: Context, user: store.User, currentPassword: string): Promise<void> {
  const subject = `confirm:${user.id}`;
  await countAttempt(ctx, subject);
  if (!(await isPassword(user.password_hash, currentPassword))) {
    ctx.security.note({ kind: 'passwordRefused', userId: user.id });
    throw invalid('currentPassword', 'Wrong password.');
  }
  await clearAttempts(ctx.db, subject);
}
