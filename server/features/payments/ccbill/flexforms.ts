/**
 * CCBill's FlexForms with dynamic pricing: the signed address of the payment page and the digests of both directions
 * (ccbill.com/doc/dynamic-pricing-flexforms). The digest covers price, period and currency only; all else can be edited
 * by the payer.
 */
import { createHash } from 'node:crypto';
import { asCents } from '@stagedoor/contract/atoms/money.ts';

/** ISO 4217 numbers, as texts: they may begin with a zero. */
export const CURRENCY_CODES = { USD: '840', EUR: '978', GBP: '826', CAD: '124', AUD: '036', JPY: '392' } as const;

/** Days that CCBill considers a one-off sale active. */
export const SINGLE_SALE_DAYS = 2;

export type SinglePrice = { initialPriceCents: number; initialPeriodDays: number; currencyCode: string };
export type RecurringPrice = SinglePrice & {
  recurringPriceCents: number;
  recurringPeriodDays: number;
  numRebills: number;
};

export type Merchant = { account: string; subaccount: string; flexId: string; salt: string };

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

/** Cents as CCBill wants prices: exactly two decimals. */
export function priceText(cents: number): string {
  const digits = String(asCents(cents)).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The digest of a request (ccbill.com/doc/formdigest-value): lower-case hex MD5 of price, period, currency and salt. */
export function formDigest(price: SinglePrice | RecurringPrice, salt: string): string {
  const first = priceText(price.initialPriceCents) + price.initialPeriodDays;
  const recurring =
    'numRebills' in price ? priceText(price.recurringPriceCents) + price.recurringPeriodDays + price.numRebills : '';
  return md5(first + recurring + price.currencyCode + salt);
}

/** The digest by which CCBill answers an approved sale. Only whoever knows the salt can make it. */
export function approvalDigest(subscriptionId: string, salt: string): string {
  return md5(`${subscriptionId}1${salt}`);
}

/** The digest by which CCBill answers a denied sale. */
export function denialDigest(transactionId: string, salt: string): string {
  return md5(`${transactionId}0${salt}`);
}

/** Prefills of the payment page that CCBill knows. */
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
 * The address of the payment page for one single sale.
 * @param host CCBill's origin, or the sandbox's address
 * @param orderId opaque; comes back in the webhook as `X-orderId`
 */
export function paymentAddress(
  host: string,
  merchant: Merchant,
  sale: { priceCents: number; orderId: string; currencyCode?: string; payer?: Payer },
): string {
  const price = {
    initialPriceCents: sale.priceCents,
    initialPeriodDays: SINGLE_SALE_DAYS,
    currencyCode: sale.currencyCode ?? CURRENCY_CODES.USD,
  };
  const query = new URLSearchParams({
    clientAccnum: merchant.account,
    clientSubacc: merchant.subaccount,
    initialPrice: priceText(price.initialPriceCents),
    initialPeriod: String(price.initialPeriodDays),
    currencyCode: price.currencyCode,
    formDigest: formDigest(price, merchant.salt),
    ...sale.payer,
    orderId: sale.orderId,
  });
  return `${host}/wap-frontflex/flexforms/${encodeURIComponent(merchant.flexId)}?${query}`;
}
