/**
 * Webhooks of a recurring sale after its first payment (ccbill.com/doc/webhooks-user-guide). They have no digest, so a
 * webhook that moves money is confirmed with DataLink before it takes effect.
 */
import type { Cents } from '@stagedoor/contract/shared/money.ts';
import { isProcessorId, parseArizonaDay, parseArizonaTime, parseCents } from './values.ts';
import { CLOCK_SKEW_MS } from './verify.ts';
import type { RecurringEventType, WebhookFields } from './webhook-body.ts';

type CommonFields = {
  subscriptionId: string;
  /** When it happened at CCBill. A `UserReactivation` has no time. */
  at: Date | undefined;
};
export type RecurringEvent = CommonFields &
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

/** Returns the problem as text for operators if the webhook is invalid. */
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
