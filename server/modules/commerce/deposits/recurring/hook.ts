/** What a recurring payment pays for, in a module that depends on this one. */
import type { DbTransaction } from '../../../../platform/database/db.ts';
import { defineHook } from '../../../../platform/hooks.ts';

export type RecurringCharge = {
  paymentId: string;
  depositId: string;
  isFirst: boolean;
  /** By the clock of the processor. */
  chargedAt: Date;
  nextChargeAt: Date | undefined;
};

/** Whether the processor charged the card for a renewal that is missing here. */
export type RenewalLookup = 'paid' | 'unpaid' | 'unknown';

/** Every method but `lock` runs under the locks that `lock` took, and must not fail because the payment is unknown. */
export type RecurringPaymentHook = {
  /** Takes the locks that come before that of the wallet. */
  lock(tx: DbTransaction, paymentId: string): Promise<void>;
  /**
   * The money is in the wallet. Sells what it pays for. Throws AppError to leave the money there; the payment is then
   * canceled at the processor.
   */
  onPaid(tx: DbTransaction, charge: RecurringCharge): Promise<void>;
  /** What `onPaid` did was undone. */
  onRefused(tx: DbTransaction, paymentId: string): Promise<void>;
  /** The card was declined; the processor tries again at `nextAttemptAt`. */
  onDeclined(tx: DbTransaction, paymentId: string, nextAttemptAt: Date | undefined): Promise<void>;
  /** The processor charges no more. */
  onStopped(tx: DbTransaction, paymentId: string): Promise<void>;
  /** The processor charges again after it had stopped. Returns false if nothing is left that it could pay for. */
  onResumed(tx: DbTransaction, paymentId: string, nextChargeAt: Date | undefined): Promise<boolean>;
  onDateChanged(tx: DbTransaction, paymentId: string, nextChargeAt: Date): Promise<void>;
  /** The answer to `requestRenewalLookup`. */
  onLookedUp(tx: DbTransaction, paymentId: string, answer: RenewalLookup): Promise<void>;
  /**
   * The processor is about to take `amountCents` of a payment back from the wallet, because it refunded or voided it. Returns
   * as much of what it paid for to the wallet, so that the fan owes nothing. What it paid for may have another purse by now.
   */
  onRefunded(tx: DbTransaction, refund: { depositId: string; amountCents: number; reason: string }): Promise<void>;
  onChargedBack(tx: DbTransaction, paymentId: string): Promise<void>;
};

export const recurringPaymentHook = defineHook<RecurringPaymentHook>('deposits.recurringPaymentHook');
export const registerRecurringPaymentHook = recurringPaymentHook.register;
