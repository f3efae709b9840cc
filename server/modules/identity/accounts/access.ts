import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { clearAttempts, countAttempt } from './login-throttle.ts';
import { isPassword } from './passwords.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

/** Throws UNAUTHORIZED when the account no longer exists, account_blocked when it was blocked in the meantime. */
export async function accessOwnAccount(db: Executor, actor: Actor): Promise<store.User> {
  return requireActive(await store.findUserById(db, actor.userId));
}

/** Like {@link accessOwnAccount}, and locks the row until the transaction ends. */
export async function lockOwnAccount(tx: Executor, actor: Actor): Promise<store.User> {
  return requireActive(await store.lockUser(tx, actor.userId));
}

function requireActive(user: store.User | undefined): store.User {
  if (!user) throw new AppError('UNAUTHORIZED');
  if (user.is_blocked) throw new AppError('account_blocked');
  return user;
}

/** Throws NOT_FOUND for sessions of other users. */
export async function endOwnSession(db: Executor, actor: Actor, id: string): Promise<void> {
  if (!(await store.deleteSession(db, actor.userId, id))) throw new AppError('NOT_FOUND');
}

/** Throws VALIDATION on `currentPassword`, RATE_LIMITED after too many attempts. */
export async function requirePassword(ctx: Context, user: store.User, currentPassword: string): Promise<void> {
  const subject = `confirm:${user.id}`;
  await countAttempt(ctx, subject);
  if (!(await isPassword(user.password_hash, currentPassword))) {
    ctx.security.note({ kind: 'passwordRefused', userId: user.id });
    throw createFieldError('currentPassword', texts.incorrectPassword);
  }
  await clearAttempts(ctx.db, subject);
}
