/** Two-factor authentication is optional for users and required for operators. */
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { renderQrSvg } from '../../../platform/qr.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { accessOwnAccount, lockOwnAccount, requirePassword } from './access.ts';
import { clearAttempts, countAttempt } from './login-throttle.ts';
import { createStaffCodeMail, createTwoFactorMail } from './mails.ts';
import { recordStepUp } from './operators.ts';
import { dropSessions } from './sessions.ts';
import { createStaffCode, requireStaffCode, useStaffCode } from './staff-codes.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';
import { consumeCode, createSecret, encryptSecret, renewRecoveryCodes, toOtpauthUrl } from './two-factor-codes.ts';

const ALREADY_ENABLED = texts.twoFactorAlreadyOn;
const NOT_ENABLED = texts.twoFactorNotOn;
export const WRONG_CODE = texts.codeIncorrectOrUsed;

const CODE_REQUIRED = texts.twoFactorCodeRequired;

/**
 * Counts the attempt before the check. Returns a function that consumes the code in the transaction of the protected
 * action. Both throw VALIDATION on `code`, and the first RATE_LIMITED.
 */
export async function prepareCodeCheck(
  ctx: Context,
  user: store.User,
  code: string | undefined,
): Promise<(tx: DbTransaction, locked: store.User) => Promise<void>> {
  const subject = `code:${user.id}`;
  if (user.two_factor_enabled_at) {
    if (code === undefined) throw createFieldError('code', CODE_REQUIRED);
    await countAttempt(ctx, subject);
  }
  return async (tx, locked) => {
    if (!locked.two_factor_enabled_at) return;
    if (code === undefined) throw createFieldError('code', CODE_REQUIRED);
    if (!(await consumeCode(ctx, tx, locked, code))) {
      ctx.security.note({ kind: 'secondFactorRefused', userId: locked.id });
      throw createFieldError('code', WRONG_CODE);
    }
    await clearAttempts(tx, subject);
  };
}

/**
 * Stores a secret that is not enabled yet. Throws VALIDATION for a wrong password, or for staff a wrong invitation code,
 * CONFLICT if two-factor authentication is enabled.
 */
export async function startTwoFactorSetup(
  ctx: Context,
  actor: Actor,
  input: { currentPassword: string; invitationCode?: string | undefined },
): Promise<{ secret: string; otpauthUrl: string; qrSvg: string }> {
  const user = await accessOwnAccount(ctx.db, actor);
  if (user.two_factor_enabled_at) throw new AppError('CONFLICT', { message: ALREADY_ENABLED });
  await requirePassword(ctx, user, input.currentPassword);
  const subject = `invitation-code:${user.id}`;
  if (user.type === 'operator') await countAttempt(ctx, subject);
  const secret = createSecret();
  await ctx.db.transaction(async (tx) => {
    const locked = await lockOwnAccount(tx, actor);
    if (locked.two_factor_enabled_at) throw new AppError('CONFLICT', { message: ALREADY_ENABLED });
    if (locked.type === 'operator') await requireStaffCode(ctx, tx, locked, input.invitationCode);
    const encryptedSecret = encryptSecret(ctx, user.id, secret);
    await store.updateUser(tx, user.id, { two_factor_secret: encryptedSecret, two_factor_last_step: null });
  });
  if (user.type === 'operator') await clearAttempts(ctx.db, subject);
  const url = toOtpauthUrl(user.username, secret);
  return { secret, otpauthUrl: url, qrSvg: await renderQrSvg(url) };
}

/**
 * Enables the secret and ends all other sessions, because they were started without a code. The current one counts as
 * proof of identity. Returns the recovery codes, which are shown once. Throws CONFLICT if none was prepared or it is
 * enabled, VALIDATION on `code`.
 */
export async function enableTwoFactor(ctx: Context, actor: Actor, input: { code: string }): Promise<string[]> {
  const subject = `code:${actor.userId}`;
  await countAttempt(ctx, subject);
  const { codes, endedSessionIds } = await ctx.db.transaction(async (tx) => {
    const user = await lockOwnAccount(tx, actor);
    if (user.two_factor_enabled_at) throw new AppError('CONFLICT', { message: ALREADY_ENABLED });
    if (!user.two_factor_secret) throw new AppError('CONFLICT', { message: texts.startOver });
    if (input.code.includes('-') || !(await consumeCode(ctx, tx, user, input.code)))
      throw createFieldError('code', WRONG_CODE);
    if (user.type === 'operator') await useStaffCode(ctx, tx, user.id);
    const now = ctx.clock.now();
    await store.updateUser(tx, user.id, { two_factor_enabled_at: now });
    await recordStepUp(tx, actor, now);
    await ctx.mailer.send(tx, createTwoFactorMail(user, ctx.config.publicUrl, true));
    await tx.emit('account.secured', { userId: user.id, change: 'twoFactorOn', device: '' });
    const endedSessionIds = await store.deleteSessions(tx, user.id, actor.sessionId);
    return { codes: await renewRecoveryCodes(ctx, tx, user.id), endedSessionIds };
  });
  await clearAttempts(ctx.db, subject);
  dropSessions(ctx, endedSessionIds);
  ctx.sessions.invalidate({ userIds: [actor.userId] });
  ctx.security.note({ kind: 'twoFactorOn', userId: actor.userId });
  return codes;
}

/** Throws CONFLICT if two-factor authentication is disabled, VALIDATION for a wrong password or code. */
export async function disableTwoFactor(
  ctx: Context,
  actor: Actor,
  input: { currentPassword: string; code: string },
): Promise<void> {
  const account = await accessOwnAccount(ctx.db, actor);
  if (!account.two_factor_enabled_at) throw new AppError('CONFLICT', { message: NOT_ENABLED });
  await requirePassword(ctx, account, input.currentPassword);
  const verifyCode = await prepareCodeCheck(ctx, account, input.code);
  await ctx.db.transaction(async (tx) => {
    const user = await lockOwnAccount(tx, actor);
    if (!user.two_factor_enabled_at) throw new AppError('CONFLICT', { message: NOT_ENABLED });
    await verifyCode(tx, user);
    const disabledFields = { two_factor_secret: null, two_factor_enabled_at: null, two_factor_last_step: null };
    await store.updateUser(tx, user.id, disabledFields);
    await store.replaceRecoveryCodes(tx, user.id, []);
    await ctx.mailer.send(tx, createTwoFactorMail(user, ctx.config.publicUrl, false));
    // For a new device. A role without a factor is not active, and only the owner of the mailbox can set up another.
    if (user.type === 'operator')
      await ctx.mailer.send(tx, createStaffCodeMail(user, ctx.config.publicUrl, await createStaffCode(ctx, tx, user)));
    await tx.emit('account.secured', { userId: user.id, change: 'twoFactorOff', device: '' });
  });
  ctx.sessions.invalidate({ userIds: [actor.userId] });
  ctx.security.note({ kind: 'twoFactorOff', userId: actor.userId });
}
