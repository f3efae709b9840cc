/**
 * Verifies that a CCBill webhook matches its order. Each function returns what is wrong, as text for operators, or
 * undefined. A webhook that does not match is never credited.
 */
import { approvalDigest, denialDigest, formDigest, SINGLE_SALE_DAYS } from './flexforms.ts';
import type { Fields } from './post.ts';
import { centsOf, instantOf, isProcessorId } from './values.ts';

export type Seller = { account: string; subaccount: string; salt: string };

export type Order = { payableCents: number; currencyCode: string; createdAt: Date; expiresAt: Date };

export const CLOCK_SKEW_MS = 10 * 60_000;

export function wrongAccount(query: Fields, fields: Fields, seller: Seller): string | undefined {
  if (fields.clientAccnum !== seller.account) return 'it is for another account';
  if (fields.clientSubacc !== seller.subaccount) return 'it is for another subaccount';
  if (query.clientAccnum !== undefined && query.clientAccnum !== seller.account)
    return 'its address names another account';
  if (query.clientSubacc !== undefined && query.clientSubacc !== seller.subaccount)
    return 'its address names another subaccount';
  return undefined;
}

/** `proof`: only CCBill could create the digest. `echo`: it is the digest of the request, which the payer has seen. */
export type DigestFinding = 'proof' | 'echo' | 'absent' | 'wrong';

/**
 * Evaluates all digests of a webhook. Some real webhooks contain the request digest instead of the response digest.
 * Such an echo proves nothing but is no reason to refuse, so the sale is confirmed with the processor.
 */
export function digestFinding(fields: Fields, expected: string, echo: string): DigestFinding {
  const given = [fields.dynamicPricingValidationDigest, fields.responseDigest].filter(
    (digest) => digest !== undefined && digest !== '',
  );
  if (given.some((digest) => digest !== expected && digest !== echo)) return 'wrong';
  if (given.includes(expected)) return 'proof';
  return given.length > 0 ? 'echo' : 'absent';
}

function requestDigest(order: Pick<Order, 'payableCents' | 'currencyCode'>, salt: string): string {
  return formDigest(
    { initialPriceCents: order.payableCents, initialPeriodDays: SINGLE_SALE_DAYS, currencyCode: order.currencyCode },
    salt,
  );
}

export function saleFinding(
  fields: Fields,
  order: Pick<Order, 'payableCents' | 'currencyCode'>,
  { salt }: Pick<Seller, 'salt'>,
): DigestFinding {
  return digestFinding(fields, approvalDigest(fields.subscriptionId ?? '', salt), requestDigest(order, salt));
}

export function wrongSale(fields: Fields, order: Order, seller: Seller, receivedAt: Date): string | undefined {
  if (!isProcessorId(fields.subscriptionId) || !isProcessorId(fields.transactionId)) return 'its ids are not digits';
  if (fields.billedCurrencyCode !== order.currencyCode) return 'it was billed in another currency';
  if (centsOf(fields.billedInitialPrice) !== order.payableCents) return 'another amount was billed than ordered';
  if (fields.billedRecurringPrice !== undefined && centsOf(fields.billedRecurringPrice) !== 0)
    return 'it was sold as recurring';
  if (saleFinding(fields, order, seller) === 'wrong') return 'its digest is wrong';
  const soldAt = instantOf(fields.timestamp) ?? receivedAt;
  if (soldAt.getTime() < order.createdAt.getTime() - CLOCK_SKEW_MS) return 'it was sold before the order was made';
  if (soldAt.getTime() > order.expiresAt.getTime() + CLOCK_SKEW_MS) return 'the order had expired when it was sold';
  return undefined;
}

export function wrongFailure(fields: Fields, order: Order, seller: Seller): string | undefined {
  if (!isProcessorId(fields.transactionId)) return 'its id is not digits';
  const finding = digestFinding(
    fields,
    denialDigest(fields.transactionId, seller.salt),
    requestDigest(order, seller.salt),
  );
  return finding === 'wrong' ? 'its digest is wrong' : undefined;
}

export function wrongReversal(fields: Fields, order: Pick<Order, 'payableCents' | 'currencyCode'>): string | undefined {
  if (fields.currencyCode !== order.currencyCode) return 'it is in another currency than the sale';
  const amount = centsOf(fields.amount);
  if (amount === undefined || amount === 0) return 'its amount is not an amount';
  if (amount > order.payableCents) return 'it takes back more than was paid';
  return undefined;
}

const FAILURE_WORDS: Readonly<Record<string, string>> = {
  'BE-900': 'Your card was declined.',
  'BE-103': 'Your bank declined the card.',
  'BE-140': 'The card details were not accepted.',
};

export function failureWords(fields: Fields): string {
  const known = FAILURE_WORDS[fields.failureCode ?? ''];
  return known ?? (fields.failureReason?.slice(0, 200) || 'The payment was declined.');
}
