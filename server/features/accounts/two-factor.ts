/** Two-factor authentication is optional for users and required for operators. */
import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import { qrSvg } from '../../kernel/qr.ts';
import type { Actor } from '../../kernel/session.ts';
import { accessOwnAccount, lockOwnAccount, requirePassword } from './access.ts';
import { clearAttempts, countAttempt } from './attempts.ts';
import { twoFactorMail } from './mails.ts';
import { markProven } from './operators.ts';
import { forgetSessions } from './sessions.ts';
import * as store from './store.ts';
import { newSecret, otpauthUrl, renewRecoveryCodes, sealSecret, spendCode } from './two-factor-codes.ts';

const IS_ON = 'Two-factor authentication is already on.';
const IS_OFF = 'Two-factor authentication isn’t on.';
export const WRONG_CODE = 'This code is incorrect or has already been used.';

const ASK_CODE = 'Enter the 6-digit code or a recovery code';

/**
 * Counts the attempt before the check. Returns a function that consumes the code in the transaction of the protected
 * action. Both throw VALIDATION on `code`, and the first RATE_LIMITED.
 */
export async function askForCode(
  ctx: Context,
  user: store.User,
  code: string | undefined,
): Promise<(tx: Transaction, locked: store.User) => Promise<void>> {
  const subject = `code:${user.id}`;
  if (user.two_factor_enabled_at) {
    if (code === undefined) throw invalid('code', ASK_CODE);
    await countAttempt(ctx, subject);
  }
  return async (tx, locked) => {
    if (!locked.two_factor_enabled_at) return;
    if (code === undefined) throw invalid('code', ASK_CODE);
    if (!(await spendCode(ctx, tx, locked, code))) {
      ctx.security.note({ kind: 'secondFactorRefused', userId: locked.id });
      throw invalid('code', WRONG_CODE);
    }
    await clearAttempts(tx, subject);
  };
}

/**
 * Stores a secret that is not enabled yet. Throws VALIDATION for a wrong password, CONFLICT if two-factor
 * authentication is enabled.
 */
export async function beginTwoFactor(
  ctx: Context,
  actor: Actor,
  input: { currentPassword: string },
): Promise<{ secret: string; otpauthUrl: string; qrSvg: string }> {
  const user = await accessOwnAccount(ctx.db, actor);
  if (user.two_factor_enabled_at) throw new AppError('CONFLICT', { message: IS_ON });
  await requirePassword(ctx, user, input.currentPassword);
  const secret = newSecret();
  await ctx.db.transaction(async (tx) => {
    const locked = await lockOwnAccount(tx, actor);
    if (locked.two_factor_enabled_at) throw new AppError('CONFLICT', { message: IS_ON });
    const sealed = sealSecret(ctx, user.id, secret);
    await store.updateUser(tx, user.id, { two_factor_secret: sealed, two_factor_last_step: null });
  });
  const url = otpauthUrl(user.username, secret);
  return { secret, otpauthUrl: url, qrSvg: await qrSvg(url) };
}

/**
 * Enables the secret and ends all other sessions, because they were started without a code. The current one counts as
 * proof of identity. Returns the recovery codes, which are shown once. Throws CONFLICT if none was prepared or it is
 * enabled, VALIDATION on `code`.
 */
export async function enableTwoFactor(ctx: Context, actor: Actor, input: { code: string }): Promise<string[]> {
  const subject = `code:${actor.userId}`;
  await countAttempt(ctx, subject);
  const { codes, ended } = await ctx.db.transaction(async (tx) => {
    const user = await lockOwnAccount(tx, actor);
    if (user.two_factor_enabled_at) throw new AppError('CONFLICT', { message: IS_ON });
    if (!user.two_factor_secret) throw new AppError('CONFLICT', { message: 'Start over.' });
    if (input.code.includes('-') || !(await spendCode(ctx, tx, user, input.code))) throw invalid('code', WRONG_CODE);
    const now = ctx.clock.now();
    await store.updateUser(tx, user.id, { two_factor_enabled_at: now });
    await markProven(tx, actor, now);
    await ctx.mailer.send(tx, twoFactorMail(user, ctx.config.publicUrl, true));
    await tx.emit('account.secured', { userId: user.id, change: 'twoFactorOn', device: '' });
    const ended = await store.deleteSessions(tx, user.id, actor.sessionId);
    return { codes: await renewRecoveryCodes(ctx, tx, user.id), ended };
  });
  await clearAttempts(ctx.db, subject);
  forgetSessions(ctx, ended);
  ctx.sessions.forget({ userIds: [actor.userId] });
  ctx.security.note({ kind: 'twoFactorOn', userId: actor.userId });
  return codes;
}

/** Throws CONFLICT if two-factor authentication is disabled, VALIDATION for a wrong password or code. */
export async function disableTwoFactor(
  ctx: Context,
  actor: Actor,
  input: { currentPassword: string; code: string },
): Promise<void> {
  const known = await accessOwnAccount(ctx.db, actor);
  if (!known.two_factor_enabled_at) throw new AppError('CONFLICT', { message: IS_OFF });
  await requirePassword(ctx, known, input.currentPassword);
  const proveCode = await askForCode(ctx, known, input.code);
  await ctx.db.transaction(async (tx) => {
    const user = await lockOwnAccount(tx, actor);
    if (!user.two_factor_enabled_at) throw new AppError('CONFLICT', { message: IS_OFF });
    await proveCode(tx, user);
    const off = { two_factor_secret: null, two_factor_enabled_at: null, two_factor_last_step: null };
    await store.updateUser(tx, user.id, off);
    await store.replaceRecoveryCodes(tx, user.id, []);
    await ctx.mailer.send(tx, twoFactorMail(user, ctx.config.publicUrl, false));
    await tx.emit('account.secured', { userId: user.id, change: 'twoFactorOff', device: '' });
  });
  ctx.sessions.forget({ userIds: [actor.userId] });
  ctx.security.note({ kind: 'twoFactorOff', userId: actor.userId });
}
