/**
 * Verifies that a CCBill webhook matches its order. Each function returns what is wrong, as text for operators, or
 * undefined. A webhook that does not match is never credited.
 */
import {
  calculateApprovalDigest,
  calculateDenialDigest,
  calculateFormDigest,
  type RecurringTerms,
  type SaleTerms,
  toFormPrice,
} from './flexforms.ts';
import * as texts from './texts.ts';
import { isProcessorId, parseArizonaTime, parseCents } from './values.ts';
import type { WebhookFields } from './webhook-body.ts';

export type MerchantAccount = { account: string; subaccount: string; salt: string };

export type OrderTerms = SaleTerms & { createdAt: Date; expiresAt: Date };

export const CLOCK_SKEW_MS = 10 * 60_000;

export function findAccountProblem(
  query: WebhookFields,
  fields: WebhookFields,
  merchant: MerchantAccount,
): string | undefined {
  if (fields.clientAccnum !== merchant.account) return 'it is for another account';
  if (fields.clientSubacc !== merchant.subaccount) return 'it is for another subaccount';
  if (query.clientAccnum !== undefined && query.clientAccnum !== merchant.account)
    return 'its address names another account';
  if (query.clientSubacc !== undefined && query.clientSubacc !== merchant.subaccount)
    return 'its address names another subaccount';
  return undefined;
}

/** `proof`: only CCBill could create the digest. `echo`: it is the digest of the request, which the payer has seen. */
export type DigestResult = 'proof' | 'echo' | 'absent' | 'wrong';

/**
 * Evaluates all digests of a webhook. Some real webhooks contain the request digest instead of the response digest.
 * Such an echo proves nothing but is no reason to refuse, so the sale is confirmed with the processor.
 */
export function evaluateDigest(fields: WebhookFields, expected: string, echo: string): DigestResult {
  const given = [fields.dynamicPricingValidationDigest, fields.responseDigest].filter(
    (digest) => digest !== undefined && digest !== '',
  );
  if (given.some((digest) => digest !== expected && digest !== echo)) return 'wrong';
  if (given.includes(expected)) return 'proof';
  return given.length > 0 ? 'echo' : 'absent';
}

export function evaluateSaleDigest(
  fields: WebhookFields,
  order: SaleTerms,
  { salt }: Pick<MerchantAccount, 'salt'>,
): DigestResult {
  return evaluateDigest(
    fields,
    calculateApprovalDigest(fields.subscriptionId ?? '', salt),
    calculateFormDigest(toFormPrice(order), salt),
  );
}

/** A payer can add recurring terms to the form of a single sale, or remove those of a recurring one. */
function findTermsProblem(fields: WebhookFields, recurring: RecurringTerms | undefined): string | undefined {
  if (!recurring) {
    const isSingle = fields.billedRecurringPrice === undefined || parseCents(fields.billedRecurringPrice) === 0;
    return isSingle ? undefined : 'it was sold as recurring';
  }
  const { priceCents, periodDays, rebills } = recurring;
  if (parseCents(fields.billedRecurringPrice) !== priceCents) return 'its renewals cost another amount than ordered';
  const isSamePeriod = Number(fields.initialPeriod) === periodDays && Number(fields.recurringPeriod) === periodDays;
  if (!isSamePeriod) return 'its periods are not as long as ordered';
  return Number(fields.rebills) === rebills ? undefined : 'it renews another number of times than ordered';
}

export function findSaleProblem(
  fields: WebhookFields,
  order: OrderTerms,
  merchant: MerchantAccount,
  receivedAt: Date,
): string | undefined {
  if (!isProcessorId(fields.subscriptionId) || !isProcessorId(fields.transactionId)) return 'its ids are not digits';
  if (fields.billedCurrencyCode !== order.currencyCode) return 'it was billed in another currency';
  if (parseCents(fields.billedInitialPrice) !== order.payableCents) return 'another amount was billed than ordered';
  const termsProblem = findTermsProblem(fields, order.recurring);
  if (termsProblem) return termsProblem;
  if (evaluateSaleDigest(fields, order, merchant) === 'wrong') return 'its digest is wrong';
  const soldAt = parseArizonaTime(fields.timestamp) ?? receivedAt;
  if (soldAt.getTime() < order.createdAt.getTime() - CLOCK_SKEW_MS) return 'it was sold before the order was made';
  if (soldAt.getTime() > order.expiresAt.getTime() + CLOCK_SKEW_MS) return 'the order had expired when it was sold';
  return undefined;
}

export function findFailureProblem(
  fields: WebhookFields,
  order: OrderTerms,
  merchant: MerchantAccount,
): string | undefined {
  if (!isProcessorId(fields.transactionId)) return 'its id is not digits';
  const result = evaluateDigest(
    fields,
    calculateDenialDigest(fields.transactionId, merchant.salt),
    calculateFormDigest(toFormPrice(order), merchant.salt),
  );
  return result === 'wrong' ? 'its digest is wrong' : undefined;
}

export function findReversalProblem(
  fields: WebhookFields,
  order: Pick<OrderTerms, 'payableCents' | 'currencyCode'>,
): string | undefined {
  if (fields.currencyCode !== order.currencyCode) return 'it is in another currency than the sale';
  const amount = parseCents(fields.amount);
  if (amount === undefined || amount === 0) return 'its amount is not an amount';
  if (amount > order.payableCents) return 'it takes back more than was paid';
  return undefined;
}

const FAILURE_MESSAGES: Readonly<Record<string, string>> = {
  'BE-900': texts.yourCardWasDeclined,
  'BE-103': texts.bankDeclinedCard,
  'BE-140': texts.cardDetailsNotAccepted,
};

export function getFailureMessage(fields: WebhookFields): string {
  const known = FAILURE_MESSAGES[fields.failureCode ?? ''];
  return known ?? (fields.failureReason?.slice(0, 200) || texts.paymentWasDeclined);
}
