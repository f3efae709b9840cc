/** Chargebacks that were won: the processor tells it on its own site and by the money, not by a post, so a person says it at the desk. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { Statement, Transaction } from '../../kernel/db.ts';
import { findByEvent, winChargeback } from '../ledger/index.ts';
import { addReversed } from './deposits-store.ts';
import type { EventRow } from './events-store.ts';
import { eventKey, tellDeposit } from './process.ts';

const LOCK: Statement = {
  name: 'payments-lock-won',
  text: 'select id, fan_id, reason from deposits where id = $1 for update',
};

/**
 * Takes back what a chargeback took, whose post is locked: the deposit stands again, and what its fan owed for it is gone.
 * Throws CONFLICT when the post moved nothing, or it was won already.
 */
export async function takeWon(tx: Transaction, event: EventRow, at: Date): Promise<void> {
  const [deposit] = await tx.run<{ id: string; fan_id: string; reason: string | null }>(LOCK, [event.deposit_id]);
  const chargebackId = await findByEvent(tx, event.provider, eventKey(event));
  if (!deposit || chargebackId === undefined)
    throw new AppError('CONFLICT', { message: 'This chargeback took nothing of what we credited.' });
  const won = await winChargeback(tx, chargebackId, at);
  await addReversed(tx, deposit.id, {
    payableCents: -won.cardCents,
    amountCents: -won.amountCents,
    reason: 'The card’s bank gave the payment back to us.',
    at,
  });
  await tellDeposit(tx, deposit, 'success', won);
}
