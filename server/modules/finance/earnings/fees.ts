/** Creators see this commission in the composer and on the fees page (row G4). */

import type { getCreatorFees } from '@stagedoor/contract/finance/earnings.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { getEffectiveFee } from '../../commerce/sales/index.ts';

/** The commission is in percent. */
export async function viewFees(ctx: Context, actor: Actor): Promise<ResponseInputOf<typeof getCreatorFees>> {
  const fee = await getEffectiveFee(ctx.db, actor.userId, ctx.clock.now());
  return {
    generalFee: fee.generalPercent,
    isCustomFee: fee.isCustomGeneral,
    offerFee: fee.offerPercent,
    offerUntil: fee.offerUntil?.toISOString() ?? null,
    isCustomOffer: fee.isCustomOffer,
    effectiveFee: fee.percent,
  };
}
