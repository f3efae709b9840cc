/**
 * Reading CCBill's posts (ccbill.com/doc/webhooks-user-guide): JSON or form-encoded, one flat set of texts. They carry the
 * payer's name, address, mail, password and more; what is not needed to settle and reconcile is dropped here, before
 * anything is stored or logged.
 */
import { createHash } from 'node:crypto';
import { isProcessorId } from './values.ts';

/** Events that take a sale back. */
export const REVERSAL_EVENTS = ['Refund', 'Chargeback', 'Void', 'Return'] as const;
/** Events of subscriptions and upgrades, which are not sold here: kept, and of no consequence. */
export const IGNORED_EVENTS = [
  'UpSaleSuccess',
  'UpSaleFailure',
  'UpgradeSuccess',
  'UpgradeFailure',
  'RenewalSuccess',
  'RenewalFailure',
  'Cancellation',
  'Expiration',
  'BillingDateChange',
  'CustomerDataUpdate',
  'UserReactivation',
] as const;
export type ReversalEvent = (typeof REVERSAL_EVENTS)[number];

export type Fields = Readonly<Record<string, string>>;

export type ProcessorPost = {
  eventType: string | undefined;
  transactionId: string | undefined;
  subscriptionId: string | undefined;
  query: Fields;
  fields: Fields;
  /** By what the card is known again that was paid with: never kept as it is. */
  card: string | undefined;
  bodyHash: Buffer;
  /** The body's beginning, when it could not be read. */
  raw: string | undefined;
  /** Why nothing may be made of it. */
  problem: string | undefined;
};

/** What is kept of a post. Nothing of who paid, but the card's brand and last digits, which the receipt shows. */
const KEPT: ReadonlySet<string> = new Set([
  ...['eventType', 'eventGroupType', 'clientAccnum', 'clientSubacc', 'timestamp', 'X-orderId'],
  ...['transactionId', 'subscriptionId', 'originalSubscriptionId', 'reservationId', 'formName', 'flexId'],
  ...['amount', 'currency', 'currencyCode', 'accountingAmount', 'accountingCurrency', 'accountingCurrencyCode'],
  ...['billedInitialPrice', 'billedRecurringPrice', 'billedCurrency', 'billedCurrencyCode'],
  ...['subscriptionInitialPrice', 'subscriptionRecurringPrice', 'subscriptionCurrency', 'subscriptionCurrencyCode'],
  ...['accountingInitialPrice', 'accountingRecurringPrice', 'initialPeriod', 'recurringPeriod', 'rebills'],
  ...['nextRenewalDate', 'subscriptionTypeId', 'priceDescription', 'recurringPriceDescription', 'productDesc'],
  ...['dynamicPricingValidationDigest', 'responseDigest', 'paymentType', 'cardType', 'cardSubType', 'last4', 'prePaid'],
  ...['avsResponse', 'cvv2Response', 'threeDSecure', 'failureReason', 'failureCode', 'reason', 'source'],
]);
const MAX_FIELDS = 200;
const MAX_LENGTH = 2_000;
const MAX_RAW = 2_000;
const PASSWORD = /password/i;

/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

class Unreadable extends Error {}

type Pairs = Iterable<readonly [string, string]>;

function collect(pairs: Pairs): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of pairs) {
    const name = storable(key);
    const text = storable(value);
    if (name.length > 100 || text.length > MAX_LENGTH) throw new Unreadable('a field is too long');
    const before = found.get(name);
    if (before !== undefined && before !== text) throw new Unreadable(`${name} is given twice`);
    found.set(name, text);
    if (found.size > MAX_FIELDS) throw new Unreadable('too many fields');
  }
  return found;
}

const kept = (found: ReadonlyMap<string, string>): Fields =>
  Object.fromEntries([...found].filter(([name]) => KEPT.has(name)));

/** What a card has every time: its first and last digits, and when it expires. Without one of them it is any card's. */
function cardOf(found: ReadonlyMap<string, string>): string | undefined {
  const parts = [found.get('bin'), found.get('last4'), found.get('expDate')];
  return parts.every((part) => part !== undefined && /^\d{4,8}$/.test(part)) ? parts.join(' ') : undefined;
}

function* scalars(body: object): Generator<readonly [string, string]> {
  for (const [key, value] of Object.entries(body)) {
    if (value === null || value === '') continue;
    if (typeof value === 'object') throw new Unreadable(`${storable(key).slice(0, 60)} is not a text`);
    // A number has lost its leading zeros, and perhaps its last digits.
    if (typeof value === 'number' && /Id$/.test(key)) throw new Unreadable(`${storable(key).slice(0, 60)} is a number`);
    yield [key, String(value)];
  }
}

function readBody(body: string, contentType: string): Map<string, string> {
  if (/\bjson\b/i.test(contentType)) {
    let parsed: unknown;
    try {
      parsed = JSON.parse(body);
    } catch {
      throw new Unreadable('the body is not JSON');
    }
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
      throw new Unreadable('the body is not an object');
    return collect(scalars(parsed));
  }
  return collect(new URLSearchParams(body));
}

/** What is kept of an unreadable body: all up to the first word of a password. */
function keepable(body: string): string {
  const at = body.search(PASSWORD);
  return storable(body.slice(0, Math.min(MAX_RAW, at === -1 ? MAX_RAW : at)));
}

function hashOf(parts: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

/**
 * Reads one post. Never throws: what cannot be read comes with a `problem`.
 * @param search the address's query string, without the question mark
 */
export function readPost(search: string, body: string, contentType: string): ProcessorPost {
  let query: Fields = {};
  let found: ReadonlyMap<string, string> = new Map();
  try {
    query = kept(collect(new URLSearchParams(search)));
    found = readBody(body, contentType);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const bodyHash = hashOf([search.replace(/password=[^&]*/gi, ''), createHash('sha256').update(body).digest('hex')]);
    return {
      eventType: undefined,
      transactionId: undefined,
      subscriptionId: undefined,
      query,
      fields: {},
      card: undefined,
      bodyHash,
      raw: keepable(body),
      problem: error.message,
    };
  }
  const fields = kept(found);
  const { eventType } = query;
  const { transactionId, subscriptionId } = fields;
  const problem =
    eventType === undefined
      ? 'the address names no eventType'
      : fields.eventType !== undefined && fields.eventType !== eventType
        ? 'the body names another eventType than the address'
        : !isProcessorId(transactionId) && !isProcessorId(subscriptionId)
          ? 'the post names no transaction'
          : undefined;
  return {
    eventType: eventType?.slice(0, 60),
    // Cancellation and its kin name the subscription only.
    transactionId: isProcessorId(transactionId)
      ? transactionId
      : isProcessorId(subscriptionId)
        ? subscriptionId
        : undefined,
    subscriptionId: isProcessorId(subscriptionId) ? subscriptionId : undefined,
    query,
    fields,
    card: cardOf(found),
    bodyHash: hashOf([sorted(query), sorted(fields)]),
    raw: undefined,
    problem,
  };
}

function sorted(fields: Fields): [string, string][] {
  return Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}
