/**
 * Seller eligibility: every module that lets creators charge money calls this check. Content that is already for sale
 * stays on sale.
 */
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';

/** Returns why a creator may not sell, as a sentence that starts with `subject` ("Paid posts"), or undefined. */
export type SellerEligibilityCheck = (db: Executor, creatorId: string, subject: string) => Promise<string | undefined>;

const eligibilityChecks = new WeakMap<Context, SellerEligibilityCheck>();

/** Registers the check. Only one module may do so. */
export function registerSellerEligibility(ctx: Context, check: SellerEligibilityCheck): void {
  if (eligibilityChecks.has(ctx)) throw new Error('a seller eligibility check is already registered');
  eligibilityChecks.set(ctx, check);
}

/** Throws NOT_VERIFIED while a creator may not sell, on `field` if it is given. */
export async function requireSellerEligible(
  ctx: Context,
  db: Executor,
  creatorId: string,
  { subject, field }: { subject: string; field?: string },
): Promise<void> {
  const check = eligibilityChecks.get(ctx);
  if (!check) throw new Error('no seller eligibility check is registered');
  const message = await check(db, creatorId, subject);
  if (message === undefined) return;
  const error = field === undefined ? undefined : [{ field, message }];
  throw new AppError('NOT_VERIFIED', { message, href: PATHS.creatorVerification, ...(error && { error }) });
}
