import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { accessOwnAccount, lockOwnAccount, requirePassword } from './access.ts';
import { recordStepUp } from './operators.ts';
import type { User } from './store.ts';
import * as texts from './texts.ts';
import { prepareCodeCheck } from './two-factor.ts';

/**
 * Counts both attempts before it checks them. Returns a function that consumes the code in the transaction of the
 * protected action and returns the locked account. Throws VALIDATION on `currentPassword` or `code`, RATE_LIMITED,
 * account_blocked.
 */
export async function reauthenticate(
  ctx: Context,
  actor: Actor,
  reauthentication: { currentPassword: string; code?: string | undefined },
): Promise<(tx: DbTransaction) => Promise<User>> {
  const account = await accessOwnAccount(ctx.db, actor);
  await requirePassword(ctx, account, reauthentication.currentPassword);
  const verifyCode = await prepareCodeCheck(ctx, account, reauthentication.code);
  return async (tx) => {
    const user = await lockOwnAccount(tx, actor);
    if (user.password_hash !== account.password_hash)
      throw new AppError('FORBIDDEN', { message: texts.passwordChangedMeanwhile });
    await verifyCode(tx, user);
    return user;
  };
}

/** Records in the session that its user has proved their identity. Throws as {@link reauthenticate}. Returns the time. */
export async function proveIdentity(
  ctx: Context,
  actor: Actor,
  reauthentication: { currentPassword: string; code?: string | undefined },
): Promise<Date> {
  const confirmReauthentication = await reauthenticate(ctx, actor, reauthentication);
  const provedAt = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    await confirmReauthentication(tx);
    await recordStepUp(tx, actor, provedAt);
  });
  // The cached session does not contain the proof yet.
  ctx.sessions.invalidate({ sessionIds: [actor.sessionId] });
  ctx.security.note({ kind: 'steppedUp', userId: actor.userId });
  return provedAt;
}
