/**
 * Won chargebacks. The processor reports them only on its website and by paying the money, not by a webhook. An
 * operator therefore records them and can undo a mistake.
 */
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { DbTransaction, SqlStatement } from '../../../../platform/database/db.ts';
import { findTransactionByEvent, recordChargebackWin, reverseChargebackWin } from '../../../ledger/ledger/index.ts';
import { emitDepositChanged } from '../events.ts';
import { addReversedAmount, type DepositRow } from '../store.ts';
import * as texts from '../texts.ts';
import { getEventKey } from './credit.ts';
import { REVERSALS } from './process.ts';
import type { WebhookRow } from './store.ts';

const LOCK: SqlStatement = {
  name: 'deposits-lock-won',
  text: 'select id, fan_id, recurring_payment_id from deposits where id = $1 for update',
};

/**
 * Reverses a chargeback whose webhook is locked: the deposit is restored and its debt canceled. With `isWon` false the
 * win is undone and the chargeback is in force again. Throws CONFLICT when the webhook moved nothing, it already has
 * this status, or the payment was reversed again since.
 */
export async function applyChargebackWin(
  tx: DbTransaction,
  webhook: WebhookRow,
  { isWon, at }: { isWon: boolean; at: Date },
): Promise<void> {
  const [deposit] = await tx.run<Pick<DepositRow, 'id' | 'fan_id' | 'recurring_payment_id'>>(LOCK, [
    webhook.deposit_id,
  ]);
  const chargebackId = await findTransactionByEvent(tx, webhook.provider, getEventKey(webhook));
  if (!deposit || chargebackId === undefined) throw new AppError('CONFLICT', { message: texts.chargebackHadNoEffect });
  const moved = await (isWon ? recordChargebackWin : reverseChargebackWin)(tx, chargebackId, at);
  const sign = isWon ? -1 : 1;
  await addReversedAmount(tx, deposit.id, {
    payableCents: sign * moved.cardCents,
    amountCents: sign * moved.amountCents,
    reason: isWon ? texts.bankReturnedPaymentToUs : REVERSALS.Chargeback.message,
    at,
  });
  await emitDepositChanged(tx, deposit, 'won', moved);
}
