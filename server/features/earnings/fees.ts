/** Creators see this commission in the composer and on the fees page (row G4). */
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import type { creatorFees } from '@stagedoor/contract/earnings.ts';
import type { Context } from '../../kernel/context.ts';
import type { Actor } from '../../kernel/session.ts';
import { effectiveFee } from '../sales/index.ts';

/** The commission is in percent. */
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
