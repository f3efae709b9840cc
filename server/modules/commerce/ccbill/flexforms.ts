/**
 * CCBill FlexForms with dynamic pricing: the signed URL of the payment page and the digests of both directions
 * (ccbill.com/doc/dynamic-pricing-flexforms). The digest covers only price, period and currency. The payer can change
 * everything else.
 */
import { createHash } from 'node:crypto';
import { asCents } from '@stagedoor/contract/shared/money.ts';

/** ISO 4217 numbers as strings, because they may start with a zero. */
export const CURRENCY_CODES = { USD: '840', EUR: '978', GBP: '826', CAD: '124', AUD: '036', JPY: '392' } as const;

export const SINGLE_SALE_DAYS = 2;

export type SinglePrice = { initialPriceCents: number; initialPeriodDays: number; currencyCode: string };
export type RecurringPrice = SinglePrice & {
  recurringPriceCents: number;
  recurringPeriodDays: number;
  numRebills: number;
};

/** `rebills` is the number of renewals. {@link UNLIMITED_REBILLS} renews until the subscription is canceled. */
export type RecurringTerms = { priceCents: number; periodDays: number; rebills: number };
export const UNLIMITED_REBILLS = 99;

/** What an order costs. The first period of a recurring one is as long as the others. */
export type SaleTerms = { payableCents: number; currencyCode: string; recurring?: RecurringTerms | undefined };

export type Merchant = { account: string; subaccount: string; flexId: string; salt: string };

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

/** Formats cents with exactly two decimals, as CCBill requires. */
export function formatPrice(cents: number): string {
  const digits = String(asCents(cents)).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Returns the digest of a request (ccbill.com/doc/formdigest-value): lowercase hex MD5 of price, period, currency and
 * salt.
 */
export function calculateFormDigest(price: SinglePrice | RecurringPrice, salt: string): string {
  const first = formatPrice(price.initialPriceCents) + price.initialPeriodDays;
  const recurring =
    'numRebills' in price ? formatPrice(price.recurringPriceCents) + price.recurringPeriodDays + price.numRebills : '';
  return md5(first + recurring + price.currencyCode + salt);
}

export function toFormPrice({ payableCents, currencyCode, recurring }: SaleTerms): SinglePrice | RecurringPrice {
  const single = { initialPriceCents: payableCents, initialPeriodDays: SINGLE_SALE_DAYS, currencyCode };
  if (!recurring) return single;
  const { priceCents, periodDays, rebills } = recurring;
  return {
    ...single,
    initialPeriodDays: periodDays,
    recurringPriceCents: priceCents,
    recurringPeriodDays: periodDays,
    numRebills: rebills,
  };
}

export function calculateApprovalDigest(subscriptionId: string, salt: string): string {
  return md5(`${subscriptionId}1${salt}`);
}

export function calculateDenialDigest(transactionId: string, salt: string): string {
  return md5(`${transactionId}0${salt}`);
}

export type Payer = Partial<
  Record<
    | 'customer_fname'
    | 'customer_lname'
    | 'email'
    | 'address1'
    | 'city'
    | 'state'
    | 'zipcode'
    | 'country'
    | 'phone_number',
    string
  >
>;

/**
 * Returns the URL of the payment page for a single sale, or with `recurring` for one that renews.
 * @param host The origin of CCBill or of the sandbox.
 * @param orderId Opaque, comes back in the webhook as `X-orderId`.
 */
export function buildPaymentUrl(
  host: string,
  merchant: Merchant,
  sale: {
    priceCents: number;
    orderId: string;
    currencyCode?: string;
    recurring?: RecurringTerms | undefined;
    payer?: Payer;
  },
): string {
  const { priceCents, currencyCode = CURRENCY_CODES.USD, recurring } = sale;
  const price = toFormPrice({ payableCents: priceCents, currencyCode, recurring });
  const query = new URLSearchParams({
    clientAccnum: merchant.account,
    clientSubacc: merchant.subaccount,
    initialPrice: formatPrice(price.initialPriceCents),
    initialPeriod: String(price.initialPeriodDays),
    ...('numRebills' in price && {
      recurringPrice: formatPrice(price.recurringPriceCents),
      recurringPeriod: String(price.recurringPeriodDays),
      numRebills: String(price.numRebills),
    }),
    currencyCode: price.currencyCode,
    formDigest: calculateFormDigest(price, merchant.salt),
    ...sale.payer,
    orderId: sale.orderId,
  });
  return `${host}/wap-frontflex/flexforms/${encodeURIComponent(merchant.flexId)}?${query}`;
}
