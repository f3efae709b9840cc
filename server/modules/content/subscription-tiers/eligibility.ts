import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { requireSellerEligible } from '../../commerce/sales/index.ts';
import * as texts from './texts.ts';

/** Throws NOT_VERIFIED. */
export const requireEligible = (ctx: Pick<Context, 'hooks'>, db: Executor, creatorId: string): Promise<void> =>
  requireSellerEligible(ctx, db, creatorId, { subject: texts.subscriptionTiers });

export async function isEligible(ctx: Pick<Context, 'hooks'>, db: Executor, creatorId: string): Promise<boolean> {
  try {
    await requireEligible(ctx, db, creatorId);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_VERIFIED') return false;
    throw error;
  }
}
