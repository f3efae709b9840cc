/**
 * Seller eligibility: every module that lets creators charge money calls this check. Content that is already for sale
 * stays on sale.
 */
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { defineHook, type HookContext } from '../../../platform/hooks.ts';

/** Returns why a creator may not sell, as a sentence that starts with `subject` ("Paid posts"), or undefined. */
export type SellerEligibilityCheck = (db: Executor, creatorId: string, subject: string) => Promise<string | undefined>;

const eligibilityCheck = defineHook<SellerEligibilityCheck>('sales.sellerEligibility');
export const registerSellerEligibility = eligibilityCheck.register;

/** Throws NOT_VERIFIED while a creator may not sell, on `field` if it is given. */
export async function requireSellerEligible(
  ctx: HookContext,
  db: Executor,
  creatorId: string,
  { subject, field }: { subject: string; field?: string },
): Promise<void> {
  const message = await eligibilityCheck.get(ctx)(db, creatorId, subject);
  if (message === undefined) return;
  const error = field === undefined ? undefined : [{ field, message }];
  throw new AppError('NOT_VERIFIED', { message, href: PATHS.creatorVerification, ...(error && { error }) });
}
