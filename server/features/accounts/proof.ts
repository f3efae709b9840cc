import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import type { Actor } from '../../kernel/session.ts';
import { accessOwnAccount, lockOwnAccount, requirePassword } from './access.ts';
import type { User } from './store.ts';
import { askForCode } from './two-factor.ts';

/**
 * Counts both attempts before it checks them. Returns a function that consumes the code in the transaction of the
 * protected action and returns the locked account. Throws VALIDATION on `currentPassword` or `code`, RATE_LIMITED,
 * account_blocked.
 */
export async function proveAgain(
  ctx: Context,
  actor: Actor,
  proof: { currentPassword: string; code?: string | undefined },
): Promise<(tx: Transaction) => Promise<User>> {
  const known = await accessOwnAccount(ctx.db, actor);
  await requirePassword(ctx, known, proof.currentPassword);
  const proveCode = await askForCode(ctx, known, proof.code);
  return async (tx) => {
    const user = await lockOwnAccount(tx, actor);
    if (user.password_hash !== known.password_hash)
      throw new AppError('FORBIDDEN', { message: 'The password was changed meanwhile.' });
    await proveCode(tx, user);
    return user;
  };
}
