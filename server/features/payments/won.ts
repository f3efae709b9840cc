/**
 * Won chargebacks. The processor reports them only on its website and by paying the money, not by a webhook. An
 * operator therefore records them and can undo a mistake.
 */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { Statement, Transaction } from '../../kernel/db.ts';
import { findByEvent, unwinChargeback, winChargeback } from '../ledger/index.ts';
import { addReversed } from './deposits-store.ts';
import type { EventRow } from './events-store.ts';
import { eventKey, REVERSALS, tellDeposit } from './process.ts';

const LOCK: Statement = {
  name: 'payments-lock-won',
  text: 'select id, fan_id from deposits where id = $1 for update',
};

/**
 * Reverses a chargeback whose webhook is locked: the deposit is restored and its debt cancelled. With `isWon` false the
 * win is undone and the chargeback is in force again. Throws CONFLICT when the webhook moved nothing, it already has
 * this status, or the payment was reversed again since.
 */
export async function settleWon(
  tx: Transaction,
  event: EventRow,
  { isWon, at }: { isWon: boolean; at: Date },
): Promise<void> {
  const [deposit] = await tx.run<{ id: string; fan_id: string }>(LOCK, [event.deposit_id]);
  const chargebackId = await findByEvent(tx, event.provider, eventKey(event));
  if (!deposit || chargebackId === undefined)
    throw new AppError('CONFLICT', { message: 'This chargeback didn’t affect anything we credited.' });
  const moved = await (isWon ? winChargeback : unwinChargeback)(tx, chargebackId, at);
  const sign = isWon ? -1 : 1;
  await addReversed(tx, deposit.id, {
    payableCents: sign * moved.cardCents,
    amountCents: sign * moved.amountCents,
    reason: isWon ? 'The card’s bank gave the payment back to us.' : REVERSALS.Chargeback.words,
    at,
  });
  await tellDeposit(tx, deposit, 'won', moved);
}
