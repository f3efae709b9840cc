import type { registration } from '@stagedoor/contract/accounts.ts';
import { AppError, type FieldError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import type * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import { isUniqueViolation } from '../../kernel/db.ts';
import { isRetired } from './closing.ts';
import { weaknessOf } from './common-passwords.ts';
import { accountsOfBrowser, type Caller } from './known-devices.ts';
import { sendMailToken } from './mail-tokens.ts';
import { hashPassword } from './passwords.ts';
import { createAccount } from './people.ts';
import { readsLikeStaff } from './staff-names.ts';
import * as store from './store.ts';

async function requireFree(ctx: Context, names: { username: string; email: string }): Promise<void> {
  const taken = await store.findTaken(ctx.db, names);
  const complaints: FieldError[] = [];
  if (taken.username || readsLikeStaff(names.username) || (await isRetired(ctx, ctx.db, names.username)))
    complaints.push({ field: 'username', message: 'This username is taken.' });
  if (taken.email) complaints.push({ field: 'email', message: 'An account with this email already exists.' });
  const [first] = complaints;
  if (first) throw new AppError('VALIDATION', { message: first.message, error: complaints });
}

export type Registered = { id: string; username: string; email: string; info: string };

/**
 * Creates an account. Throws VALIDATION for a wrong type, a taken name (also by a concurrent request) or a common
 * password, RATE_LIMITED when too many sign up at once.
 */
export async function registerAccount(
  ctx: Context,
  type: 'customer' | 'creator',
  input: z.output<typeof registration>,
  caller: Caller,
): Promise<Registered> {
  if (input.accountType !== type) throw invalid('accountType', 'Please select account type');
  const { username, email } = input;
  const weakness = weaknessOf(input.password, { username, email });
  if (weakness) throw invalid('password', weakness);
  await requireFree(ctx, { username, email });
  const passwordHash = await hashPassword(input.password);
  try {
    const id = await ctx.db.transaction(async (tx) => {
      const made = await createAccount(ctx, tx, {
        type,
        username,
        email,
        passwordHash,
        isEmailVerified: false,
        hasConsented: input.isGiveConsent ?? false,
        referralCode: input.referralCode,
        browserOf: input.referralCode === '' ? [] : await accountsOfBrowser(tx, caller),
      });
      await sendMailToken(ctx, tx, { id: made, username, email }, 'verify');
      return made;
    });
    return { id, username, email, info: 'Almost there! Check your email to confirm your account.' };
  } catch (error) {
    if (isUniqueViolation(error)) await requireFree(ctx, { username, email });
    throw error;
  }
}

/** Ignores case. Names that suggest staff count as taken. */
export async function isTaken(ctx: Context, name: { username?: string; email?: string }): Promise<boolean> {
  if (name.username !== undefined && readsLikeStaff(name.username)) return true;
  if (name.username !== undefined && (await isRetired(ctx, ctx.db, name.username))) return true;
  const taken = await store.findTaken(ctx.db, name);
  return taken.username || taken.email;
}
