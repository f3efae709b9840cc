/** Order, webhooks and export of past deposits, as CCBill documents them. */
import { depositFunds, quoteAmount } from '@stagedoor/contract/commerce/deposits.ts';
import { asCents, toCents } from '@stagedoor/contract/shared/money.ts';
import {
  calculateApprovalDigest,
  calculateDenialDigest,
  type ExportRow,
  formatArizonaTime,
} from '../modules/commerce/ccbill/index.ts';
import type { DemoAction } from './actions.ts';
import type { PastApp } from './past-app.ts';
import { CARD, postWebhook, toProcessorId } from './processor.ts';

const CREDIT_USD = 10;
const toSecondKey = (key: string) => `${key} again`;

export async function performDeposit(
  pastApp: PastApp,
  action: Extract<DemoAction, { kind: 'deposit' }>,
): Promise<void> {
  const { account, subaccount, salt } = pastApp.ctx.config.payments;
  const body = { paymentProvider: 'ccbill' as const, amount: action.usd, credits: action.usd / CREDIT_USD };
  const { paymentUrl } = await pastApp.call(depositFunds, { as: action.username, key: action.key, body });
  const order = new URL(paymentUrl).searchParams;
  const id = toProcessorId(action.key);
  const shared = {
    transactionId: id,
    clientAccnum: account,
    clientSubacc: subaccount,
    timestamp: formatArizonaTime(action.at),
    'X-orderId': order.get('orderId') ?? '',
    ...CARD,
  };
  const [eventType, fields] = action.isDeclined
    ? [
        'NewSaleFailure',
        {
          ...shared,
          failureCode: 'BE-900',
          failureReason: 'Declined',
          dynamicPricingValidationDigest: calculateDenialDigest(id, salt),
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
          dynamicPricingValidationDigest: calculateApprovalDigest(id, salt),
        },
      ];
  await postWebhook(pastApp, action.key, eventType, fields);
  if (!action.isReportedTwice) return;
  const second = toProcessorId(toSecondKey(action.key));
  const digest = calculateApprovalDigest(second, salt);
  const ids = { transactionId: second, subscriptionId: second, dynamicPricingValidationDigest: digest };
  await postWebhook(pastApp, action.key, eventType, { ...fields, ...ids });
}

export async function performReversal(
  pastApp: PastApp,
  action: Extract<DemoAction, { kind: 'reversal' }>,
): Promise<void> {
  const { account, subaccount } = pastApp.ctx.config.payments;
  const id = toProcessorId(action.deposit);
  await postWebhook(pastApp, action.deposit, action.event, {
    ...{ subscriptionId: id, transactionId: id, clientAccnum: account, clientSubacc: subaccount },
    ...{
      timestamp: formatArizonaTime(action.at),
      amount: action.usd.toFixed(2),
      currency: 'USD',
      currencyCode: '840',
      ...CARD,
    },
  });
}

export function createExportRows(pastApp: PastApp, actions: readonly DemoAction[]): ExportRow[] {
  const { account, subaccount } = pastApp.ctx.config.payments;
  const toRow = (type: ExportRow['type'], key: string, at: Date, cents: number): ExportRow => ({
    ...{ type, account, subaccount, subscriptionId: toProcessorId(key), at, amountCents: asCents(cents) },
  });
  return actions.flatMap((action): ExportRow[] => {
    if (action.kind === 'reversal')
      return [
        toRow(action.event === 'Refund' ? 'REFUND' : 'CHARGEBACK', action.deposit, action.at, toCents(action.usd)),
      ];
    if (action.kind === 'subscription' && action.step === 'start' && action.cardUsd !== undefined)
      return [toRow('NEW', action.key, action.at, quoteAmount(toCents(action.cardUsd)).payableCents)];
    if (action.kind !== 'deposit' || action.isDeclined) return [];
    const { payableCents } = quoteAmount(toCents(action.usd));
    const keys = action.isReportedTwice ? [action.key, toSecondKey(action.key)] : [action.key];
    return keys.map((key) => toRow('NEW', key, action.at, payableCents));
  });
}
