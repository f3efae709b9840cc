import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import type { Actor } from '../../kernel/session.ts';
import { accessOwnAccount, lockOwnAccount, requirePassword } from './access.ts';
import { weaknessOf } from './common-passwords.ts';
import { type Caller, knowOnly } from './known-devices.ts';
import { forgiveGuesses } from './login.ts';
import { lockMailToken, noSuchLink } from './mail-tokens.ts';
import { passwordChangedMail } from './mails.ts';
import { hashPassword } from './passwords.ts';
import { forgetSessions } from './sessions.ts';
import * as store from './store.ts';
import { askForCode } from './two-factor.ts';

/** A session younger than this does not need the current password. */
const RECENT_MS = 15 * 60_000;

function requireStrong(password: string, user: store.User): void {
  const weakness = weaknessOf(password, user);
  if (weakness) throw invalid('newPassword', weakness);
}

type Replaced = { ended: string[]; deviceCookie: string };

async function replacePassword(
  ctx: Context,
  tx: Transaction,
  user: store.User,
  passwordHash: string,
  caller: Caller,
  kept?: string,
): Promise<Replaced> {
  await store.updateUser(tx, user.id, { password_hash: passwordHash });
  await store.useMailTokens(tx, user.id, 'reset', ctx.clock.now());
  await forgiveGuesses(tx, user, caller);
  const deviceCookie = await knowOnly(ctx, tx, user.id, caller);
  await ctx.mailer.send(tx, passwordChangedMail(user, ctx.config.publicUrl));
  await tx.emit('account.secured', { userId: user.id, change: 'passwordChanged', device: '' });
  return { ended: await store.deleteSessions(tx, user.id, kept), deviceCookie };
}

async function accessReset(ctx: Context, tx: Transaction, token: string): Promise<store.User> {
  const { user, isUsed } = await lockMailToken(ctx, tx, token, 'reset');
  if (isUsed) throw noSuchLink();
  return user;
}

/**
 * Sets a new password by a mailed token. Ends every session and confirms the address, which the link proves. Throws
 * NOT_FOUND for a token that is unknown, used or expired, VALIDATION on `newPassword`. Returns the device cookie.
 */
export async function resetPassword(
  ctx: Context,
  input: { token: string; newPassword: string },
  caller: Caller,
): Promise<string> {
  requireStrong(input.newPassword, await ctx.db.transaction((tx) => accessReset(ctx, tx, input.token)));
  const passwordHash = await hashPassword(input.newPassword);
  let userId: string | undefined;
  const { ended, deviceCookie } = await ctx.db.transaction(async (tx) => {
    const user = await accessReset(ctx, tx, input.token);
    if (user.email_verified_at === null) await store.updateUser(tx, user.id, { email_verified_at: ctx.clock.now() });
    userId = user.id;
    return replacePassword(ctx, tx, user, passwordHash, caller);
  });
  forgetSessions(ctx, ended);
  ctx.security.note({ kind: 'passwordReset', userId, network: caller.network });
  return deviceCookie;
}

/**
 * Changes the caller's password and ends the other sessions. Without `currentPassword` it throws FORBIDDEN unless the
 * session is younger than 15 minutes. With two-factor authentication `code` is required. Throws VALIDATION on
 * `currentPassword`, `code` or `newPassword`. Returns the device cookie.
 */
export async function changePassword(
  ctx: Context,
  actor: Actor,
  input: { newPassword: string; currentPassword?: string | undefined; code?: string | undefined },
  caller: Caller,
): Promise<string> {
  const known = await accessOwnAccount(ctx.db, actor);
  if (input.currentPassword !== undefined) {
    await requirePassword(ctx, known, input.currentPassword);
  } else if (ctx.clock.now().getTime() - actor.loggedInAt.getTime() > RECENT_MS) {
    throw new AppError('FORBIDDEN', { message: 'Enter your current password.' });
  }
  requireStrong(input.newPassword, known);
  const proveCode = await askForCode(ctx, known, input.code);
  const passwordHash = await hashPassword(input.newPassword);
  const { ended, deviceCookie } = await ctx.db.transaction(async (tx) => {
    const user = await lockOwnAccount(tx, actor);
    if (user.password_hash !== known.password_hash) {
      throw new AppError('FORBIDDEN', { message: 'Your password has already been changed. Log in again.' });
    }
    await proveCode(tx, user);
    return replacePassword(ctx, tx, user, passwordHash, caller, actor.sessionId);
  });
  forgetSessions(ctx, ended);
  ctx.security.note({ kind: 'passwordChanged', userId: actor.userId });
  return deviceCookie;
}
