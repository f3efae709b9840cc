/** Proving again who one is, for what matters most in rooms above: the password, and a code where two-factor log-in is on. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import type { Actor } from '../../kernel/session.ts';
import { accessOwnAccount, lockOwnAccount, requirePassword } from './access.ts';
import type { User } from './store.ts';
import { askForCode } from './two-factor.ts';

/**
 * Asks the actor for password and code; both are counted before they are looked at. Answers what uses the code up, in the
 * transaction of what it allows, and gives the account, locked. Throws VALIDATION on `currentPassword` or `code`, RATE_LIMITED after
 * too many, account_blocked.
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
