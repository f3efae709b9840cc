import type { registration } from '@stagedoor/contract/identity/accounts.ts';
import { parseDestination } from '@stagedoor/contract/shared/destinations.ts';
import { AppError, createFieldError, type FieldError } from '@stagedoor/contract/shared/errors.ts';
import type * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import { isUniqueViolation } from '../../../platform/database/db.ts';
import { findPasswordWeakness } from './common-passwords.ts';
import { isReservedUsername } from './deletion.ts';
import { type CallerDevice, listBrowserAccounts } from './known-devices.ts';
import { sendMailToken } from './mail-tokens.ts';
import { hashPassword } from './passwords.ts';
import { isStaffLikeName } from './staff-names.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';
import { createAccount } from './users.ts';

async function requireNamesFree(ctx: Context, names: { username: string; email: string }): Promise<void> {
  const taken = await store.findTaken(ctx.db, names);
  const fieldErrors: FieldError[] = [];
  if (taken.username || isStaffLikeName(names.username) || (await isReservedUsername(ctx, ctx.db, names.username)))
    fieldErrors.push({ field: 'username', message: texts.usernameUnavailable });
  if (taken.email) fieldErrors.push({ field: 'email', message: texts.emailAlreadyRegistered });
  const [first] = fieldErrors;
  if (first) throw new AppError('VALIDATION', { message: first.message, error: fieldErrors });
}

export type RegisteredAccount = { id: string; username: string; email: string; info: string };

/**
 * Creates an account. Throws VALIDATION for a wrong type, a taken name (also by a concurrent request) or a common
 * password, RATE_LIMITED when too many sign up at once.
 */
export async function registerAccount(
  ctx: Context,
  type: 'customer' | 'creator',
  input: z.output<typeof registration> & { themeCode?: string | undefined },
  caller: CallerDevice,
): Promise<RegisteredAccount> {
  if (input.accountType !== type) throw createFieldError('accountType', texts.selectAccountType);
  const { username, email } = input;
  const weakness = findPasswordWeakness(input.password, { username, email });
  if (weakness) throw createFieldError('password', weakness);
  await requireNamesFree(ctx, { username, email });
  const passwordHash = await hashPassword(input.password);
  try {
    const id = await ctx.db.transaction(async (tx) => {
      const accountId = await createAccount(ctx, tx, {
        type,
        username,
        email,
        passwordHash,
        isEmailVerified: false,
        hasConsented: input.isGiveConsent ?? false,
        referralCode: input.referralCode,
        themeCode: input.themeCode,
        browserAccountIds: input.referralCode === '' ? [] : await listBrowserAccounts(tx, caller),
      });
      const nextPath = parseDestination(input.next, new URL(ctx.config.publicUrl).origin)?.path ?? null;
      await sendMailToken(ctx, tx, { id: accountId, username, email }, 'verify', nextPath);
      return accountId;
    });
    return { id, username, email, info: texts.confirmAccountByEmail };
  } catch (error) {
    if (isUniqueViolation(error)) await requireNamesFree(ctx, { username, email });
    throw error;
  }
}

/** Ignores case. Names that suggest staff count as taken. */
export async function isNameTaken(ctx: Context, name: { username?: string; email?: string }): Promise<boolean> {
  if (name.username !== undefined && isStaffLikeName(name.username)) return true;
  if (name.username !== undefined && (await isReservedUsername(ctx, ctx.db, name.username))) return true;
  const taken = await store.findTaken(ctx.db, name);
  return taken.username || taken.email;
}
