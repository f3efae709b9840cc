/** Tips that a fan gives to the creator during their call. */

import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../../platform/database/db.ts';
import { listTipsBetween, lockSpendable, reduceFunds, type Sale } from '../../../commerce/sales/index.ts';
import type { CallFunds } from '../../../finance/wallet/index.ts';
import type { Call, CallSide } from './sides.ts';
import { addTimelineEntry, type CallStep, calculateReservedCents } from './state-machine.ts';
import { runCallStep } from './step.ts';

const FIND_ANSWERED: SqlStatement = {
  name: 'calls-answered-between',
  text: `select id from calls where fan_id = $1 and creator_id = $2 and ended_at is null and status = 'received'`,
};

/** Takes what the wallet lacks from the hold. */
async function releaseForTip(tx: DbTransaction, step: CallStep, cents: number): Promise<boolean> {
  const { call, at } = step;
  const spendable = await lockSpendable(tx, call.fanId, at);
  if (spendable.isBlocked || call.holdId === null) return false;
  const missingCents = cents - spendable.cents;
  if (missingCents <= 0) return true;
  if (missingCents > call.heldCents - calculateReservedCents(call, at)) return false;
  const reduced = await reduceFunds(tx, { holdId: call.holdId, amountCents: missingCents, at });
  call.heldCents = reduced.amountCents;
  addTimelineEntry(step, 'tipped', { by: 'fan', transactionId: reduced.transactionId });
  step.changes.add('clock');
  return true;
}

export function createCallFunds(ctx: Context): CallFunds {
  return async ({ fanId, creatorId }, charge) => {
    const [answered] = await ctx.db.run<{ id: string }>(FIND_ANSWERED, [fanId, creatorId]);
    if (!answered) return undefined;
    const result: { charged?: Awaited<ReturnType<typeof charge>> } = {};
    await runCallStep(ctx, answered.id, async (step, tx) => {
      if (step.call.status === 'received') result.charged = await charge(tx, (cents) => releaseForTip(tx, step, cents));
    });
    return result.charged;
  };
}

/** The tips from the answer until the end of the call. */
export async function listCallTips(db: Executor, call: Call): Promise<Sale[]> {
  const { creatorId, fanId, answeredAt: from, endedAt: until } = call;
  return from === null ? [] : listTipsBetween(db, { creatorId, fanId, from, until });
}

/** In cents: what the fan paid, or the creator's share, without refunds. */
export function getTipCents(tip: Sale, side: CallSide): number {
  return side === 'fan' ? tip.grossCents - tip.reversedCents : tip.netCents - tip.reversedNetCents;
}
