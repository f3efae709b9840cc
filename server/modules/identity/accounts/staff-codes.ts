/**
 * The one-time code with which a staff member sets up two-factor authentication. The password alone is not enough, so
 * that a thief of it cannot take over a role before its owner has set up a factor.
 */
import { STAFF_CODE_HOURS } from '@stagedoor/contract/admin/staff.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor } from '../../../platform/database/db.ts';
import { hashToken } from '../../../platform/security/session.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';
import { createTypedCode } from './two-factor-codes.ts';

const VALID_MS = STAFF_CODE_HOURS * 60 * 60_000;

/** Returns the code, of which only the hash is stored. Earlier codes become invalid. */
export async function createStaffCode(
  ctx: Pick<Context, 'clock'>,
  tx: DbTransaction,
  { id, email }: { id: string; email: string },
): Promise<string> {
  const now = ctx.clock.now();
  await expireStaffCodes(ctx, tx, id);
  const code = createTypedCode();
  await store.insertMailToken(tx, {
    token_hash: hashToken(code),
    user_id: id,
    purpose: 'staff',
    email,
    created_at: now,
    expires_at: new Date(now.getTime() + VALID_MS),
  });
  return code;
}

/** Throws VALIDATION on `invitationCode` unless it is the user's code, unused and at most 48 hours old. */
export async function requireStaffCode(
  { clock, security }: Pick<Context, 'clock' | 'security'>,
  tx: DbTransaction,
  user: store.User,
  code: string | undefined,
): Promise<void> {
  if (code === undefined) throw createFieldError('invitationCode', texts.invitationCodeRequired);
  const token = await store.findMailToken(tx, hashToken(code.toLowerCase()), 'staff', clock.now());
  if (token && token.user_id === user.id && token.used_at === null) return;
  security.note({ kind: 'secondFactorRefused', userId: user.id, detail: 'invitation code' });
  throw createFieldError('invitationCode', texts.invitationCodeInvalid);
}

/**
 * A secret that is not enabled yet was created with the code, because {@link resetSecondFactor} deletes older ones. Throws
 * CONFLICT if the code has expired meanwhile or was replaced.
 */
export async function useStaffCode(ctx: Pick<Context, 'clock'>, tx: DbTransaction, userId: string): Promise<void> {
  if (!(await hasStaffCode(tx, userId, ctx.clock.now())))
    throw new AppError('CONFLICT', { message: texts.invitationCodeInvalid });
  await expireStaffCodes(ctx, tx, userId);
}

export const hasStaffCode = (db: Executor, userId: string, now: Date): Promise<boolean> =>
  store.hasOpenMailToken(db, userId, 'staff', now);

export const expireStaffCodes = ({ clock }: Pick<Context, 'clock'>, tx: DbTransaction, userId: string): Promise<void> =>
  store.useMailTokens(tx, userId, 'staff', clock.now());

/** A thief of the password may have set up the factor of a user who becomes staff. */
export async function resetSecondFactor(ctx: Pick<Context, 'clock'>, tx: DbTransaction, userId: string): Promise<void> {
  const fields = { two_factor_secret: null, two_factor_enabled_at: null, two_factor_last_step: null };
  await store.updateUser(tx, userId, fields);
  await store.replaceRecoveryCodes(tx, userId, []);
  await expireStaffCodes(ctx, tx, userId);
}
