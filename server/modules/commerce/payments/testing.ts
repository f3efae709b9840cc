import type { InjectOptions } from 'fastify';
import type { TestApp, TestUser } from '../../../testing/app.ts';
import { checkLedger } from '../../ledger/ledger-checks/index.ts';
import { calculateApprovalDigest } from './ccbill/flexforms.ts';
import { formatArizonaTime } from './ccbill/values.ts';
import type { DepositRow } from './deposits-store.ts';

/** Polls `probe` every 20 ms until it returns a value. Throws after 20 seconds. */
export async function waitUntil<T>(
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  description = 'it',
): Promise<T> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`${description} did not happen in time`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

let sequence = 0;

export function createProcessorId(): string {
  sequence += 1;
  return `0117${String(sequence).padStart(15, '0')}`;
}

export async function createOrder(app: TestApp, fan: TestUser, amount: number): Promise<DepositRow> {
  const response = await fan.inject('POST', '/api/customer/deposite-fund', { paymentProvider: 'ccbill', amount });
  if (response.statusCode !== 200) throw new Error(response.body);
  return getDepositRow(app, response.json<{ depositId: string }>().depositId);
}

export function getDepositRow(app: TestApp, id: string): Promise<DepositRow> {
  return app.ctx.db.query.selectFrom('deposits').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

export function buildSaleFields(app: TestApp, deposit: DepositRow, id: string): Record<string, string> {
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

/** Sends the chargeback webhook of a sale. */
export function postChargeback(app: TestApp, saleId: string, cents: number): Promise<number> {
  return postWebhook(app, 'Chargeback', buildReversalFields(app, saleId, (cents / 100).toFixed(2)));
}

export async function createPaidDeposit(
  app: TestApp,
  fan: TestUser,
  amount: number,
): Promise<{ deposit: DepositRow; saleId: string }> {
  const deposit = await createOrder(app, fan, amount);
  const saleId = createProcessorId();
  await postWebhook(app, 'NewSaleSuccess', buildSaleFields(app, deposit, saleId));
  return { deposit: await getDepositRow(app, deposit.id), saleId };
}

export function listStoredWebhooks(app: TestApp, transactionId: string) {
  return app.ctx.db.query
    .selectFrom('processor_webhooks')
    .selectAll()
    .where('processor_transaction_id', '=', transactionId)
    .orderBy('id')
    .execute();
}

export async function requireCleanLedger(app: TestApp): Promise<void> {
  const { isClean, checks } = await checkLedger(app.ctx.db);
  const wrong = checks.filter((check) => check.wrong.length > 0);
  if (!isClean) throw new Error(`the ledger is not in order: ${JSON.stringify(wrong)}`);
}
