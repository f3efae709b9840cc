/** The hook by which a module that depends on this one sells products for recurring payments. */
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

/** Every other method runs under the locks of `lock`, and must not fail if the payment is unknown. */
export type RecurringPaymentHook = {
  /** Takes the locks that are acquired before the lock of the wallet. */
  lock(tx: DbTransaction, paymentId: string): Promise<void>;
  /**
   * Sells the product after the money was added to the wallet. Throws AppError to leave the money there. The payment is then
   * canceled at the processor.
   */
  onPaid(tx: DbTransaction, charge: RecurringCharge): Promise<void>;
  /** `onPaid` threw, and its changes were rolled back. */
  onRefused(tx: DbTransaction, paymentId: string): Promise<void>;
  /** The card was declined. The processor tries again at `nextAttemptAt`. */
  onDeclined(tx: DbTransaction, paymentId: string, nextAttemptAt: Date | undefined): Promise<void>;
  /** The processor no longer charges the card. */
  onStopped(tx: DbTransaction, paymentId: string): Promise<void>;
  /** The processor charges the card again after it had stopped. Returns false if there is nothing to pay for. */
  onResumed(tx: DbTransaction, paymentId: string, nextChargeAt: Date | undefined): Promise<boolean>;
  onDateChanged(tx: DbTransaction, paymentId: string, nextChargeAt: Date): Promise<void>;
  /** The result of `requestRenewalLookup`. */
  onLookedUp(tx: DbTransaction, paymentId: string, result: RenewalLookup): Promise<void>;
  /**
   * The processor refunded, voided or returned a payment, wholly or in part, and `amountCents` are about to be deducted
   * from the wallet. Refunds as much of the product to the wallet before, so that the fan owes nothing. The fan may pay for it from the
   * balance by now.
   */
  onRefunded(tx: DbTransaction, refund: { depositId: string; amountCents: number; reason: string }): Promise<void>;
  onChargedBack(tx: DbTransaction, paymentId: string): Promise<void>;
};

export const recurringPaymentHook = defineHook<RecurringPaymentHook>('deposits.recurringPaymentHook');
export const registerRecurringPaymentHook = recurringPaymentHook.register;
