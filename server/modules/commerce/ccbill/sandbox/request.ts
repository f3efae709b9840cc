import {
  CURRENCY_CODES,
  calculateFormDigest,
  type Merchant,
  type RecurringTerms,
  UNLIMITED_REBILLS,
} from '../flexforms.ts';
import { isSameSecret } from '../sender.ts';
import { parseCents } from '../values.ts';

/** Signed parameters of the payment page. Others are passed through as `X-…`, such as `orderId`. */
const SIGNED = ['clientAccnum', 'clientSubacc', 'initialPrice', 'initialPeriod', 'currencyCode', 'formDigest'] as const;
const RECURRING = ['recurringPrice', 'recurringPeriod', 'numRebills'] as const;

export type PaymentRequest = {
  parameters: ReadonlyMap<string, string>;
  priceCents: number;
  periodDays: number;
  recurring: RecurringTerms | undefined;
  currencyCode: string;
  orderId: string;
  digest: string;
};

/** Returns undefined for a single sale, or the problem as text. */
function parseRecurringTerms(parameters: ReadonlyMap<string, string>): RecurringTerms | string | undefined {
  if (!RECURRING.some((name) => parameters.has(name))) return undefined;
  const text = (name: (typeof RECURRING)[number]) => parameters.get(name) ?? '';
  const missing = RECURRING.find((name) => !parameters.has(name));
  if (missing) return `The parameter ${missing} is missing.`;
  const priceCents = parseCents(text('recurringPrice'));
  if (!priceCents || !/^\d+\.\d{2}$/.test(text('recurringPrice')))
    return 'The recurring price is not an amount with two decimals.';
  const [periodDays, rebills] = [Number(text('recurringPeriod')), Number(text('numRebills'))];
  if (!/^\d{1,3}$/.test(text('recurringPeriod')) || periodDays < 2 || periodDays > 365)
    return 'The recurring period is not between 2 and 365 days.';
  if (!/^\d{1,2}$/.test(text('numRebills')) || rebills < 1 || rebills > UNLIMITED_REBILLS)
    return 'The number of rebills is not between 1 and 99.';
  return { priceCents, periodDays, rebills };
}

export function parsePaymentRequest(
  flexId: string,
  values: URLSearchParams,
  merchant: Merchant,
): PaymentRequest | string {
  const parameters = new Map<string, string>();
  for (const name of [...SIGNED, ...RECURRING, 'orderId']) {
    const value = values.get(name);
    if (value !== null) parameters.set(name, value.slice(0, 100));
  }
  const missing = SIGNED.find((name) => !parameters.has(name));
  if (missing) return `The parameter ${missing} is missing.`;
  const text = (name: string) => parameters.get(name) ?? '';
  if (
    text('clientAccnum') !== merchant.account ||
    text('clientSubacc') !== merchant.subaccount ||
    flexId !== merchant.flexId
  ) {
    return 'No such merchant, or no such form of theirs.';
  }
  const priceCents = parseCents(text('initialPrice'));
  const periodDays = Number(text('initialPeriod'));
  if (priceCents === undefined || !/^\d+\.\d{2}$/.test(text('initialPrice')))
    return 'The price is not an amount with two decimals.';
  if (!/^\d{1,3}$/.test(text('initialPeriod')) || periodDays < 2 || periodDays > 365)
    return 'The period is not between 2 and 365 days.';
  if (!Object.values<string>(CURRENCY_CODES).includes(text('currencyCode'))) return 'The currency is not known.';
  const recurring = parseRecurringTerms(parameters);
  if (typeof recurring === 'string') return recurring;
  const price = {
    initialPriceCents: priceCents,
    initialPeriodDays: periodDays,
    currencyCode: text('currencyCode'),
    ...(recurring && {
      recurringPriceCents: recurring.priceCents,
      recurringPeriodDays: recurring.periodDays,
      numRebills: recurring.rebills,
    }),
  };
  if (!isSameSecret(text('formDigest'), calculateFormDigest(price, merchant.salt)))
    return 'The digest does not fit the price: it was changed on the way.';
  return {
    parameters,
    priceCents,
    periodDays,
    recurring,
    currencyCode: text('currencyCode'),
    orderId: text('orderId'),
    digest: text('formDigest'),
  };
}

export type TestCard = { bin: string; last4: string; expDate: string; isApproved: boolean };

const APPROVED = ['4111111111111111', '4242424242424242'];
const DECLINED = '4000000000000002';

export function parseCard(values: URLSearchParams): TestCard | string {
  const number = (values.get('cardNumber') ?? '').replace(/[\s-]/g, '');
  if (!/^\d{12,19}$/.test(number)) return 'Please enter a card number.';
  if (!APPROVED.includes(number) && number !== DECLINED) return 'In test mode only the test cards below work.';
  const expires = /^\s*(0[1-9]|1[0-2])\s*[/-]?\s*(?:20)?(\d{2})\s*$/.exec(values.get('expDate') ?? '');
  if (!expires) return 'Please enter when the card expires, as MM/YY.';
  if (!/^\s*\d{3,4}\s*$/.test(values.get('cvv') ?? '')) return 'Please enter the security code, 3 or 4 digits.';
  return {
    ...{ bin: number.slice(0, 6), last4: number.slice(-4), expDate: `${expires[1]}${expires[2]}` },
    isApproved: APPROVED.includes(number),
  };
}
