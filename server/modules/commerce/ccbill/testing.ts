import type { InjectOptions } from 'fastify';
import type { TestApp } from '../../../testing/app.ts';
import { calculateApprovalDigest } from './flexforms.ts';
import { formatArizonaTime } from './values.ts';

export { createDataLink } from './datalink.ts';
export { calculateApprovalDigest, calculateFormDigest } from './flexforms.ts';
export { formatArizonaDigits, parseArizonaDigits } from './values.ts';

let sequence = 0;

export function createProcessorId(): string {
  sequence += 1;
  return `0117${String(sequence).padStart(15, '0')}`;
}

type SaleOrder = { order_id: string; payable_cents: number };

export function buildSaleFields(app: TestApp, deposit: SaleOrder, id: string): Record<string, string> {
  const { account, subaccount, salt } = app.ctx.config.payments;
  return {
    subscriptionId: id,
    transactionId: id,
    clientAccnum: account,
    clientSubacc: subaccount,
    timestamp: formatArizonaTime(app.clock.now()),
    billedInitialPrice: (deposit.payable_cents / 100).toFixed(2),
    billedRecurringPrice: '0.00',
    billedCurrencyCode: '840',
    initialPeriod: '2',
    cardType: 'VISA',
    last4: '4417',
    password: 'hunter2',
    dynamicPricingValidationDigest: calculateApprovalDigest(id, salt),
    'X-orderId': deposit.order_id,
  };
}

export function buildReversalFields(app: TestApp, id: string, amount: string): Record<string, string> {
  const { account, subaccount } = app.ctx.config.payments;
  return {
    subscriptionId: id,
    transactionId: id,
    clientAccnum: account,
    clientSubacc: subaccount,
    timestamp: formatArizonaTime(app.clock.now()),
    amount,
    currency: 'USD',
    currencyCode: '840',
  };
}

export type WebhookOptions = {
  search?: string;
  secret?: string;
  remoteAddress?: string;
  contentType?: string;
  body?: string;
};

/** Sends a webhook as CCBill does, waits until it is processed and returns the HTTP status. */
export async function postWebhook(
  app: TestApp,
  eventType: string,
  fields: Record<string, string>,
  options: WebhookOptions = {},
): Promise<number> {
  const request: InjectOptions = {
    method: 'POST',
    url: `/api/webhook/ccbill/${options.secret ?? app.ctx.config.payments.webhookSecret}?${options.search ?? `eventType=${eventType}`}`,
    headers: { 'content-type': options.contentType ?? 'application/x-www-form-encoded' },
    payload: options.body ?? new URLSearchParams(fields).toString(),
    ...(options.remoteAddress !== undefined && { remoteAddress: options.remoteAddress }),
  };
  const response = await app.app.http.inject(request);
  await app.ctx.events.waitUntilIdle();
  return response.statusCode;
}
