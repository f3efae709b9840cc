/** The webhooks of the sandbox, with the fields of CCBill (ccbill.com/doc/webhooks-user-guide). */
import { createHash } from 'node:crypto';
import { calculateApprovalDigest, calculateDenialDigest, formatPrice, type Merchant } from '../flexforms.ts';
import { formatArizonaDay, formatArizonaTime } from '../values.ts';
import type { RecurringEventType, ReversalEvent } from '../webhook-body.ts';

/** A payment by card: the first one of a sale, or a renewal. */
export type SandboxCharge = { id: string; priceCents: number; soldAt: Date; reversedCents: number };

/** The subscription of a recurring sale. `charges` are its renewals, oldest first. */
export type SandboxRecurring = {
  priceCents: number;
  periodDays: number;
  rebills: number;
  status: 'active' | 'canceled' | 'expired';
  nextRenewalAt: Date;
  /** How far the clock had been moved at the sale. The subscription ignores time that was skipped before. */
  startAheadMs: number;
  canceledAt?: Date | undefined;
  charges: SandboxCharge[];
};

export type SandboxSale = {
  id: string;
  orderId: string;
  priceCents: number;
  periodDays: number;
  currencyCode: string;
  bin: string;
  last4: string;
  expDate: string;
  payerAddress: string;
  requestDigest: string;
  soldAt: Date;
  isApproved: boolean;
  reversedCents: number;
  /** Undefined for a single sale. */
  recurring?: SandboxRecurring | undefined;
};

/** A sale that renews. */
export type RecurringSale = SandboxSale & { recurring: SandboxRecurring };

export type SandboxReversal = {
  type: 'REFUND' | 'VOID' | 'CHARGEBACK';
  sale: SandboxSale;
  /** The reversed payment. */
  chargeId: string;
  amountCents: number;
  at: Date;
};

export type SandboxMessage = { eventType: string; fields: Record<string, string> };

export type Flaws = {
  isWrongAmount: boolean;
  isWrongDigest: boolean;
  isEchoedDigest: boolean;
  isWrongCurrency: boolean;
  isWrongAccount: boolean;
};

export const NO_FLAWS: Flaws = {
  isWrongAmount: false,
  isWrongDigest: false,
  isEchoedDigest: false,
  isWrongCurrency: false,
  isWrongAccount: false,
};

const CURRENCIES: Readonly<Record<string, string>> = {
  '840': 'USD',
  '978': 'EUR',
  '826': 'GBP',
  '124': 'CAD',
  '036': 'AUD',
  '392': 'JPY',
};

function toCommonFields(sale: SandboxSale, merchant: Merchant, at: Date): Record<string, string> {
  return {
    transactionId: sale.id,
    clientAccnum: merchant.account,
    clientSubacc: merchant.subaccount,
    timestamp: formatArizonaTime(at),
    cardType: 'VISA',
    paymentType: 'CREDIT',
    paymentAccount: createHash('sha256').update(`${sale.bin} ${sale.last4}`).digest('hex').slice(0, 32),
    last4: sale.last4,
    expDate: sale.expDate,
  };
}

function toAttemptFields(sale: SandboxSale, merchant: Merchant): Record<string, string> {
  const price = formatPrice(sale.priceCents);
  const { recurring } = sale;
  const recurringPrice = formatPrice(recurring?.priceCents ?? 0);
  const currency = CURRENCIES[sale.currencyCode] ?? 'USD';
  return {
    ...toCommonFields(sale, merchant, sale.soldAt),
    firstName: 'Test',
    lastName: 'Payer',
    address1: '1 Test Street',
    city: 'Tempe',
    state: 'AZ',
    country: 'US',
    postalCode: '85281',
    email: 'payer@example.com',
    phoneNumber: '',
    ipAddress: sale.payerAddress,
    reservationId: '',
    username: `payer${sale.id.slice(-6)}`,
    // CCBill may send a password, which receivers must drop.
    password: 'not-to-be-stored',
    formName: 'test',
    flexId: merchant.flexId,
    productDesc: 'Balance',
    priceDescription: `$${price} for ${sale.periodDays} days`,
    recurringPriceDescription: recurring ? `$${recurringPrice} every ${recurring.periodDays} days` : '',
    billedInitialPrice: price,
    billedRecurringPrice: recurringPrice,
    billedCurrencyCode: sale.currencyCode,
    billedCurrency: currency,
    subscriptionInitialPrice: price,
    subscriptionRecurringPrice: recurringPrice,
    subscriptionCurrencyCode: sale.currencyCode,
    subscriptionCurrency: currency,
    accountingInitialPrice: price,
    accountingRecurringPrice: recurringPrice,
    accountingCurrencyCode: sale.currencyCode,
    accountingCurrency: currency,
    initialPeriod: String(sale.periodDays),
    recurringPeriod: String(recurring?.periodDays ?? 0),
    rebills: String(recurring?.rebills ?? 0),
    nextRenewalDate: recurring ? formatArizonaDay(recurring.nextRenewalAt) : '',
    subscriptionTypeId: '0000000001',
    bin: sale.bin,
    prePaid: '0',
    avsResponse: 'Y',
    cvv2Response: 'M',
    threeDSecure: 'NOT_APPLICABLE',
    cardSubType: 'CREDIT',
    affiliateSystem: '',
    referringUrl: 'none',
    lifeTimeSubscription: '0',
    lifeTimePrice: '0.00',
    'X-orderId': sale.orderId,
  };
}

export function toSaleMessage(sale: SandboxSale, merchant: Merchant): SandboxMessage {
  if (!sale.isApproved) {
    const digest = calculateDenialDigest(sale.id, merchant.salt);
    return {
      eventType: 'NewSaleFailure',
      fields: {
        ...toAttemptFields(sale, merchant),
        failureReason: 'Declined',
        failureCode: 'BE-900',
        dynamicPricingValidationDigest: digest,
      },
    };
  }
  const digest = calculateApprovalDigest(sale.id, merchant.salt);
  return {
    eventType: 'NewSaleSuccess',
    fields: { ...toAttemptFields(sale, merchant), subscriptionId: sale.id, dynamicPricingValidationDigest: digest },
  };
}

export type SandboxRecurringChange = { eventType: RecurringEventType; at: Date; charge?: SandboxCharge | undefined };

/** Call it after the sale was changed. A failed or successful renewal needs a charge. */
export function toRecurringMessage(
  sale: RecurringSale,
  merchant: Merchant,
  { eventType, at, charge }: SandboxRecurringChange,
): SandboxMessage {
  const { recurring } = sale;
  const commonFields = {
    subscriptionId: sale.id,
    clientAccnum: merchant.account,
    clientSubacc: merchant.subaccount,
    timestamp: formatArizonaTime(at),
  };
  const nextRenewalDate = formatArizonaDay(recurring.nextRenewalAt);
  const card = { ...toCommonFields(sale, merchant, at), subscriptionId: sale.id, transactionId: charge?.id ?? sale.id };
  const price = formatPrice(recurring.priceCents);
  const currency = CURRENCIES[sale.currencyCode] ?? 'USD';
  switch (eventType) {
    case 'RenewalSuccess':
      return {
        eventType,
        fields: {
          ...card,
          billedAmount: price,
          billedCurrency: currency,
          billedCurrencyCode: sale.currencyCode,
          accountingAmount: price,
          accountingCurrency: currency,
          accountingCurrencyCode: sale.currencyCode,
          renewalDate: formatArizonaDay(at),
          nextRenewalDate,
        },
      };
    case 'RenewalFailure': {
      const failure = { failureReason: 'Declined', failureCode: 'BE-900', renewalDate: formatArizonaDay(at) };
      return { eventType, fields: { ...card, ...failure, nextRetryDate: nextRenewalDate } };
    }
    case 'Cancellation':
      return { eventType, fields: { ...commonFields, reason: 'Canceled', source: 'merchant' } };
    case 'UserReactivation': {
      const { timestamp: _, ...rest } = commonFields;
      const consumer = {
        email: 'payer@example.com',
        username: `payer${sale.id.slice(-6)}`,
        password: 'not-to-be-stored',
      };
      return {
        eventType,
        fields: { ...rest, ...consumer, transactionId: sale.id, price: `$${price} (recurring)`, nextRenewalDate },
      };
    }
    case 'BillingDateChange':
      return { eventType, fields: { ...commonFields, nextRenewalDate } };
    default:
      return { eventType, fields: commonFields };
  }
}

export function toReversalMessage(
  eventType: ReversalEvent,
  { sale, chargeId }: Pick<SandboxReversal, 'sale' | 'chargeId'>,
  merchant: Merchant,
  amountCents: number,
  at: Date,
): SandboxMessage {
  const amount = formatPrice(amountCents);
  const currency = CURRENCIES[sale.currencyCode] ?? 'USD';
  return {
    eventType,
    fields: {
      ...toCommonFields(sale, merchant, at),
      transactionId: chargeId,
      subscriptionId: sale.id,
      amount,
      currency,
      currencyCode: sale.currencyCode,
      accountingAmount: amount,
      accountingCurrency: currency,
      accountingCurrencyCode: sale.currencyCode,
      reason: eventType === 'Chargeback' ? 'Fraudulent transaction' : `${eventType} by the merchant`,
    },
  };
}

export function applyFlaws(message: SandboxMessage, flaws: Flaws, requestDigest: string): SandboxMessage {
  const fields = { ...message.fields };
  const amountField = ['billedAmount', 'billedInitialPrice'].find((name) => fields[name] !== undefined) ?? 'amount';
  const currencyField = fields.billedCurrencyCode === undefined ? 'currencyCode' : 'billedCurrencyCode';
  if (flaws.isWrongAmount) fields[amountField] = '2.95';
  if (flaws.isWrongCurrency) fields[currencyField] = '978';
  if (flaws.isWrongAccount) fields.clientAccnum = '900999';
  if (fields.dynamicPricingValidationDigest !== undefined) {
    if (flaws.isEchoedDigest) fields.dynamicPricingValidationDigest = requestDigest;
    if (flaws.isWrongDigest) fields.dynamicPricingValidationDigest = '0'.repeat(32);
  }
  return { ...message, fields };
}
