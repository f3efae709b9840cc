/** Order, webhooks and export of past deposits, as CCBill documents them. */
import { createHash } from 'node:crypto';
import { asCents, toCents } from '@stagedoor/contract/atoms/money.ts';
import { depositFunds, quoteAmount } from '@stagedoor/contract/payments.ts';
import type { ExportRow } from '../features/payments/index.ts';
import type { Act } from './history.ts';
import { operationOf, type Past } from './past.ts';

const CARD = { cardType: 'VISA', last4: '1111' };
const CREDIT_USD = 10;
const MOUNTAIN_TIME_MS = 7 * 60 * 60_000;

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

function processorId(key: string): string {
  const digits = BigInt(`0x${operationOf(`processor ${key}`).replaceAll('-', '')}`) % 10n ** 15n;
  return `0117${String(digits).padStart(15, '0')}`;
}

const timeText = (at: Date) => new Date(at.getTime() - MOUNTAIN_TIME_MS).toISOString().slice(0, 19).replace('T', ' ');

async function tell(
  past: Past,
  key: string,
  eventType: string,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  const { webhookSecret } = past.ctx.config.payments;
  const status = await past.post(`/api/webhook/ccbill/${webhookSecret}?eventType=${eventType}`, fields);
  if (status !== 200) throw new Error(`${eventType} of ${key} was answered with ${status}`);
  // The money must be credited before the fan spends it.
  await past.settle();
}

const again = (key: string) => `${key} again`;

export async function deposit(past: Past, act: Extract<Act, { kind: 'deposit' }>): Promise<void> {
  const { account, subaccount, salt } = past.ctx.config.payments;
  const body = { paymentProvider: 'ccbill', amount: act.usd, credits: act.usd / CREDIT_USD };
  const { paymentUrl } = await past.call(depositFunds, { as: act.who, key: act.key, body });
  const order = new URL(paymentUrl).searchParams;
  const id = processorId(act.key);
  const shared = {
    transactionId: id,
    clientAccnum: account,
    clientSubacc: subaccount,
    timestamp: timeText(act.at),
    'X-orderId': order.get('orderId') ?? '',
    ...CARD,
  };
  const [eventType, fields] = act.isDeclined
    ? [
        'NewSaleFailure',
        {
          ...shared,
          failureCode: 'BE-900',
          failureReason: 'Declined',
          dynamicPricingValidationDigest: md5(`${id}0${salt}`),
        },
      ]
    : [
        'NewSaleSuccess',
        {
          ...shared,
          subscriptionId: id,
          billedInitialPrice: order.get('initialPrice') ?? '',
          billedRecurringPrice: '0.00',
          billedCurrencyCode: order.get('currencyCode') ?? '',
          dynamicPricingValidationDigest: md5(`${id}1${salt}`),
        },
      ];
  await tell(past, act.key, eventType, fields);
  if (!act.isToldTwice) return;
  const second = processorId(again(act.key));
  const digest = md5(`${second}1${salt}`);
  const ids = { transactionId: second, subscriptionId: second, dynamicPricingValidationDigest: digest };
  await tell(past, act.key, eventType, { ...fields, ...ids });
}

export async function takeBack(past: Past, act: Extract<Act, { kind: 'takeBack' }>): Promise<void> {
  const { account, subaccount } = past.ctx.config.payments;
  const id = processorId(act.deposit);
  await tell(past, act.deposit, act.event, {
    ...{ subscriptionId: id, transactionId: id, clientAccnum: account, clientSubacc: subaccount },
    ...{ timestamp: timeText(act.at), amount: act.usd.toFixed(2), currency: 'USD', currencyCode: '840', ...CARD },
  });
}

export function exportOf(past: Past, acts: readonly Act[]): ExportRow[] {
  const { account, subaccount } = past.ctx.config.payments;
  const row = (type: ExportRow['type'], key: string, at: Date, cents: number): ExportRow => ({
    ...{ type, account, subaccount, subscriptionId: processorId(key), at, amountCents: asCents(cents) },
  });
  return acts.flatMap((act): ExportRow[] => {
    if (act.kind === 'takeBack')
      return [row(act.event === 'Refund' ? 'REFUND' : 'CHARGEBACK', act.deposit, act.at, toCents(act.usd))];
    if (act.kind !== 'deposit' || act.isDeclined) return [];
    const { payableCents } = quoteAmount(toCents(act.usd));
    const keys = act.isToldTwice ? [act.key, again(act.key)] : [act.key];
    return keys.map((key) => row('NEW', key, act.at, payableCents));
  });
}
