import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { accessOwnAccount, lockOwnAccount, requirePassword } from './access.ts';
import { findPasswordWeakness } from './common-passwords.ts';
import { type CallerDevice, forgetOtherDevices } from './known-devices.ts';
import { clearGuesses } from './login.ts';
import { createInvalidLinkError, lockMailToken } from './mail-tokens.ts';
import { createPasswordChangedMail } from './mails.ts';
import { hashPassword } from './passwords.ts';
import { dropSessions } from './sessions.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';
import { prepareCodeCheck } from './two-factor.ts';

/** How long a proof of identity counts as the current password. A log-in is not one: the device may be unattended. */
const PROOF_MS = 5 * 60_000;

function requireStrong(password: string, user: store.User): void {
  const weakness = findPasswordWeakness(password, user);
  if (weakness) throw createFieldError('newPassword', weakness);
}

type PasswordReplacement = { endedSessionIds: string[]; deviceCookie: string };

async function replacePassword(
  ctx: Context,
  tx: DbTransaction,
  user: store.User,
  passwordHash: string,
  caller: CallerDevice,
  exceptSessionId?: string,
): Promise<PasswordReplacement> {
  await store.updateUser(tx, user.id, { password_hash: passwordHash });
  await store.useMailTokens(tx, user.id, 'reset', ctx.clock.now());
  await clearGuesses(tx, user, caller);
  const deviceCookie = await forgetOtherDevices(ctx, tx, user.id, caller);
  await ctx.mailer.send(tx, createPasswordChangedMail(user, ctx.config.publicUrl));
  await tx.emit('account.secured', { userId: user.id, change: 'passwordChanged', device: '' });
  return { endedSessionIds: await store.deleteSessions(tx, user.id, exceptSessionId), deviceCookie };
}

async function lockResetToken(ctx: Context, tx: DbTransaction, token: string): Promise<store.User> {
  const { user, isUsed } = await lockMailToken(ctx, tx, token, 'reset');
  if (isUsed) throw createInvalidLinkError();
  return user;
}

/**
 * Sets a new password by a mailed token. Ends every session and confirms the address, which the link proves. Throws
 * NOT_FOUND for a token that is unknown, used or expired, VALIDATION on `newPassword`. Returns the device cookie.
 */
export async function resetPassword(
  ctx: Context,
  input: { token: string; newPassword: string },
  caller: CallerDevice,
): Promise<string> {
  requireStrong(input.newPassword, await ctx.db.transaction((tx) => lockResetToken(ctx, tx, input.token)));
  const passwordHash = await hashPassword(input.newPassword);
  let userId: string | undefined;
  const { endedSessionIds, deviceCookie } = await ctx.db.transaction(async (tx) => {
    const user = await lockResetToken(ctx, tx, input.token);
    if (user.email_verified_at === null) await store.updateUser(tx, user.id, { email_verified_at: ctx.clock.now() });
    userId = user.id;
    return replacePassword(ctx, tx, user, passwordHash, caller);
  });
  dropSessions(ctx, endedSessionIds);
  ctx.security.note({ kind: 'passwordReset', userId, network: caller.network });
  return deviceCookie;
}

/**
 * Changes the caller's password and ends the other sessions. Without `currentPassword` it throws FORBIDDEN unless the
 * session proved its identity in the last 5 minutes. With two-factor authentication `code` is required. Throws VALIDATION on
 * `currentPassword`, `code` or `newPassword`. Returns the device cookie.
 */
export async function changePassword(
  ctx: Context,
  actor: Actor,
  input: { newPassword: string; currentPassword?: string | undefined; code?: string | undefined },
  caller: CallerDevice,
): Promise<string> {
  const account = await accessOwnAccount(ctx.db, actor);
  if (input.currentPassword !== undefined) {
    await requirePassword(ctx, account, input.currentPassword);
  } else if (ctx.clock.now().getTime() - (actor.stepUpAt?.getTime() ?? 0) > PROOF_MS) {
    throw new AppError('FORBIDDEN', { message: texts.enterCurrentPassword });
  }
  requireStrong(input.newPassword, account);
  const verifyCode = await prepareCodeCheck(ctx, account, input.code);
  const passwordHash = await hashPassword(input.newPassword);
  const { endedSessionIds, deviceCookie } = await ctx.db.transaction(async (tx) => {
    const user = await lockOwnAccount(tx, actor);
    if (user.password_hash !== account.password_hash) {
      throw new AppError('FORBIDDEN', { message: texts.passwordAlreadyChanged });
    }
    await verifyCode(tx, user);
    return replacePassword(ctx, tx, user, passwordHash, caller, actor.sessionId);
  });
  dropSessions(ctx, endedSessionIds);
  ctx.security.note({ kind: 'passwordChanged', userId: actor.userId });
  return deviceCookie;
}
