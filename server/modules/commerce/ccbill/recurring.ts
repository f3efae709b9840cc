/**
 * Webhooks of a recurring sale after its first payment (ccbill.com/doc/webhooks-user-guide). None of them has a digest, so
 * one that moves money is confirmed by DataLink before it has an effect.
 */
import type { Cents } from '@stagedoor/contract/shared/money.ts';
import { isProcessorId, parseArizonaDay, parseArizonaTime, parseCents } from './values.ts';
import { CLOCK_SKEW_MS } from './verify.ts';
import type { RecurringEventType, WebhookFields } from './webhook-body.ts';

type Common = {
  subscriptionId: string;
  /** When it happened at CCBill. A `UserReactivation` does not say it. */
  at: Date | undefined;
};
export type RecurringEvent = Common &
  (
    | {
        type: 'RenewalSuccess';
        transactionId: string;
        billedCents: Cents;
        currencyCode: string;
        nextRenewalAt: Date | undefined;
      }
    | { type: 'RenewalFailure'; nextRetryAt: Date | undefined }
    | { type: 'Cancellation' | 'Expiration' }
    | { type: 'UserReactivation'; nextRenewalAt: Date | undefined }
    | { type: 'BillingDateChange'; nextRenewalAt: Date }
  );

/** Returns what is wrong, as text for operators, if the webhook cannot be understood. */
export function parseRecurringEvent(type: RecurringEventType, fields: WebhookFields): RecurringEvent | string {
  const { subscriptionId, transactionId } = fields;
  if (!isProcessorId(subscriptionId)) return 'it names no subscription';
  const common = { subscriptionId, at: parseArizonaTime(fields.timestamp) };
  const nextRenewalAt = parseArizonaDay(fields.nextRenewalDate);
  switch (type) {
    case 'RenewalSuccess': {
      const billedCents = parseCents(fields.billedAmount);
      if (!isProcessorId(transactionId) || transactionId === subscriptionId)
        return 'it names no transaction of its own';
      if (!billedCents) return 'its amount is not an amount';
      return {
        ...common,
        type,
        transactionId,
        billedCents,
        currencyCode: fields.billedCurrencyCode ?? '',
        nextRenewalAt,
      };
    }
    case 'RenewalFailure':
      return { ...common, type, nextRetryAt: parseArizonaDay(fields.nextRetryDate) };
    case 'UserReactivation':
      return { ...common, type, nextRenewalAt };
    case 'BillingDateChange':
      return nextRenewalAt ? { ...common, type, nextRenewalAt } : 'its new date is not a date';
    default:
      return { ...common, type };
  }
}

/** Returns why a renewal does not match the terms that the payer accepted, or undefined. */
export function findRenewalProblem(
  renewal: Extract<RecurringEvent, { type: 'RenewalSuccess' }>,
  terms: { priceCents: number; currencyCode: string; createdAt: Date },
): string | undefined {
  if (renewal.currencyCode !== terms.currencyCode) return 'it was billed in another currency';
  if (renewal.billedCents !== terms.priceCents) return 'another amount was billed than ordered';
  if (renewal.at && renewal.at.getTime() < terms.createdAt.getTime() - CLOCK_SKEW_MS)
    return 'it was charged before the order was made';
  return undefined;
}
