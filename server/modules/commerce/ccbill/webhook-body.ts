/**
 * Parses CCBill webhooks (ccbill.com/doc/webhooks-user-guide): JSON or form-encoded, one flat object of strings. They
 * contain name, address, mail and password of the payer. What settlement and reconciliation do not need is dropped
 * here, before it is stored or logged.
 */
import { createHash } from 'node:crypto';
import { isProcessorId } from './values.ts';

export const REVERSAL_EVENTS = ['Refund', 'Chargeback', 'Void', 'Return'] as const;
/** Events of a recurring sale after its first payment (recurring.ts). */
export const RECURRING_EVENTS = [
  'RenewalSuccess',
  'RenewalFailure',
  'Cancellation',
  'Expiration',
  'UserReactivation',
  'BillingDateChange',
] as const;
/** Events of upgrades, which this platform does not sell, and of the payer's details. They are stored and have no effect. */
export const IGNORED_EVENTS = [
  'UpSaleSuccess',
  'UpSaleFailure',
  'UpgradeSuccess',
  'UpgradeFailure',
  'CustomerDataUpdate',
] as const;
export type ReversalEvent = (typeof REVERSAL_EVENTS)[number];
export type RecurringEventType = (typeof RECURRING_EVENTS)[number];

export type WebhookFields = Readonly<Record<string, string>>;

/** Picks the text values of a JSON object. */
export function toTextFields(json: unknown): WebhookFields {
  if (typeof json !== 'object' || json === null) return {};
  return Object.fromEntries(
    Object.entries(json).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  );
}

export type ParsedWebhook = {
  eventType: string | undefined;
  transactionId: string | undefined;
  subscriptionId: string | undefined;
  query: WebhookFields;
  fields: WebhookFields;
  /** Identifies the card across payments. It is never stored in this form. */
  card: string | undefined;
  bodyHash: Buffer;
  raw: string | undefined;
  problem: string | undefined;
};

/**
 * The fields that are stored. Of the payer only the card brand and its last digits are retained, because the receipt
 * shows them.
 */
const STORED_FIELDS: ReadonlySet<string> = new Set([
  ...['eventType', 'eventGroupType', 'clientAccnum', 'clientSubacc', 'timestamp', 'X-orderId'],
  ...['transactionId', 'subscriptionId', 'originalSubscriptionId', 'reservationId', 'formName', 'flexId'],
  ...['amount', 'currency', 'currencyCode', 'accountingAmount', 'accountingCurrency', 'accountingCurrencyCode'],
  ...['billedInitialPrice', 'billedRecurringPrice', 'billedCurrency', 'billedCurrencyCode'],
  ...['subscriptionInitialPrice', 'subscriptionRecurringPrice', 'subscriptionCurrency', 'subscriptionCurrencyCode'],
  ...['accountingInitialPrice', 'accountingRecurringPrice', 'initialPeriod', 'recurringPeriod', 'rebills'],
  ...['billedAmount', 'renewalDate', 'nextRetryDate', 'price'],
  ...['nextRenewalDate', 'subscriptionTypeId', 'priceDescription', 'recurringPriceDescription', 'productDesc'],
  ...['dynamicPricingValidationDigest', 'responseDigest', 'paymentType', 'cardType', 'cardSubType', 'last4', 'prePaid'],
  ...['avsResponse', 'cvv2Response', 'threeDSecure', 'failureReason', 'failureCode', 'reason', 'source'],
]);
const MAX_FIELDS = 200;
const MAX_LENGTH = 2_000;
const MAX_RAW = 2_000;
const PASSWORD = /password/i;

/** PostgreSQL stores neither NUL nor unpaired surrogates. */
function toStorableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

class UnreadableError extends Error {}

type Pairs = Iterable<readonly [string, string]>;

function collectPairs(pairs: Pairs): Map<string, string> {
  const fieldsByName = new Map<string, string>();
  for (const [key, value] of pairs) {
    const name = toStorableText(key);
    const text = toStorableText(value);
    if (name.length > 100 || text.length > MAX_LENGTH) throw new UnreadableError('a field is too long');
    const before = fieldsByName.get(name);
    if (before !== undefined && before !== text) throw new UnreadableError(`${name} is given twice`);
    fieldsByName.set(name, text);
    if (fieldsByName.size > MAX_FIELDS) throw new UnreadableError('too many fields');
  }
  return fieldsByName;
}

const pickStoredFields = (fieldsByName: ReadonlyMap<string, string>): WebhookFields =>
  Object.fromEntries([...fieldsByName].filter(([name]) => STORED_FIELDS.has(name)));

/** Combines first digits, last digits and expiry date, which identify a card. Returns undefined when one is missing. */
function toCardKey(fieldsByName: ReadonlyMap<string, string>): string | undefined {
  const parts = [fieldsByName.get('bin'), fieldsByName.get('last4'), fieldsByName.get('expDate')];
  return parts.every((part) => part !== undefined && /^\d{4,8}$/.test(part)) ? parts.join(' ') : undefined;
}

function* listScalars(body: object): Generator<readonly [string, string]> {
  for (const [key, value] of Object.entries(body)) {
    if (value === null || value === '') continue;
    if (typeof value === 'object') throw new UnreadableError(`${toStorableText(key).slice(0, 60)} is not a text`);
    // A JSON number has lost its leading zeros and may have lost its last digits.
    if (typeof value === 'number' && /Id$/.test(key))
      throw new UnreadableError(`${toStorableText(key).slice(0, 60)} is a number`);
    yield [key, String(value)];
  }
}

function parseBody(body: string, contentType: string): Map<string, string> {
  if (/\bjson\b/i.test(contentType)) {
    let parsed: unknown;
    try {
      parsed = JSON.parse(body);
    } catch {
      throw new UnreadableError('the body is not JSON');
    }
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
      throw new UnreadableError('the body is not an object');
    return collectPairs(listScalars(parsed));
  }
  return collectPairs(new URLSearchParams(body));
}

/** Cuts an unreadable body before the word "password". */
function toStorableBody(body: string): string {
  const at = body.search(PASSWORD);
  return toStorableText(body.slice(0, Math.min(MAX_RAW, at === -1 ? MAX_RAW : at)));
}

function hashParts(parts: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

/**
 * Parses one webhook. Never throws: an invalid one has a `problem`.
 * @param search The query string of the URL without the question mark.
 */
export function parseWebhook(search: string, body: string, contentType: string): ParsedWebhook {
  let query: WebhookFields = {};
  let fieldsByName: ReadonlyMap<string, string> = new Map();
  try {
    query = pickStoredFields(collectPairs(new URLSearchParams(search)));
    fieldsByName = parseBody(body, contentType);
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    const bodyHash = hashParts([
      search.replace(/password=[^&]*/gi, ''),
      createHash('sha256').update(body).digest('hex'),
    ]);
    return {
      eventType: undefined,
      transactionId: undefined,
      subscriptionId: undefined,
      query,
      fields: {},
      card: undefined,
      bodyHash,
      raw: toStorableBody(body),
      problem: error.message,
    };
  }
  const fields = pickStoredFields(fieldsByName);
  const { eventType } = query;
  const { transactionId, subscriptionId } = fields;
  const problem =
    eventType === undefined
      ? 'the address names no eventType'
      : fields.eventType !== undefined && fields.eventType !== eventType
        ? 'the body names another eventType than the address'
        : !isProcessorId(transactionId) && !isProcessorId(subscriptionId)
          ? 'the webhook names no transaction'
          : undefined;
  return {
    eventType: eventType?.slice(0, 60),
    // Cancellations and similar events name only the subscription.
    transactionId: isProcessorId(transactionId)
      ? transactionId
      : isProcessorId(subscriptionId)
        ? subscriptionId
        : undefined,
    subscriptionId: isProcessorId(subscriptionId) ? subscriptionId : undefined,
    query,
    fields,
    card: toCardKey(fieldsByName),
    bodyHash: hashParts([sortFields(query), sortFields(fields)]),
    raw: undefined,
    problem,
  };
}

function sortFields(fields: WebhookFields): [string, string][] {
  return Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}
