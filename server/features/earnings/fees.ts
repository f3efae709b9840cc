/** Which commission a creator pays, as the composer and the fees page show it (row G4). */
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import type { creatorFees } from '@stagedoor/contract/earnings.ts';
import type { Context } from '../../kernel/context.ts';
import type { Actor } from '../../kernel/session.ts';
import { effectiveFee } from '../sales/index.ts';

/** The actor's own commission now, in percent. */
export async function viewFees(ctx: Context, actor: Actor): Promise<AnswerOf<typeof creatorFees>> {
  const fee = await effectiveFee(ctx.db, actor.userId, ctx.clock.now());
  return {
    generalFee: fee.generalPercent,
    isOwnFee: fee.isOwnGeneral,
    offerFee: fee.offerPercent,
    offerUntil: fee.offerUntil?.toISOString() ?? null,
    isOwnOffer: fee.isOwnOffer,
    effectiveFee: fee.percent,
  };
}
