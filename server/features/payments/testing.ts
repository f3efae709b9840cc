import type { InjectOptions } from 'fastify';
import type { TestApp, TestUser } from '../../testing/app.ts';
import { checkLedger } from '../ledger/index.ts';
import { approvalDigest } from './ccbill/flexforms.ts';
import { arizonaText } from './ccbill/values.ts';
import type { DepositRow } from './deposits-store.ts';

/** Polls `look` every 20 ms until it returns a value. Throws after 20 seconds. */
export async function until<T>(
  look: () => Promise<T | undefined | false> | T | undefined | false,
  what = 'it',
): Promise<T> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`${what} did not happen in time`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

let sequence = 0;

export function processorId(): string {
  sequence += 1;
  return `0117${String(sequence).padStart(15, '0')}`;
}

export async function order(app: TestApp, fan: TestUser, amount: number): Promise<DepositRow> {
  const answer = await fan.inject('POST', '/api/customer/deposite-fund', { paymentProvider: 'ccbill', amount });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return depositRow(app, answer.json<{ depositId: string }>().depositId);
}

export function depositRow(app: TestApp, id: string): Promise<DepositRow> {
  return app.ctx.db.query.selectFrom('deposits').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

export function saleFields(app: TestApp, deposit: DepositRow, id: string): Record<string, string> {
  const { account, subaccount, salt } = app.ctx.config.payments;
  return {
    subscriptionId: id,
    transactionId: id,
    clientAccnum: account,
    clientSubacc: subaccount,
    timestamp: arizonaText(app.clock.now()),
    billedInitialPrice: (deposit.payable_cents / 100).toFixed(2),
    billedRecurringPrice: '0.00',
    billedCurrencyCode: '840',
    initialPeriod: '2',
    cardType: 'VISA',
    last4: '4417',
    password: 'hunter2',
    dynamicPricingValidationDigest: approvalDigest(id, salt),
    'X-orderId': deposit.order_id,
  };
}

export function reversalFields(app: TestApp, id: string, amount: string): Record<string, string> {
  const { account, subaccount } = app.ctx.config.payments;
  return {
    subscriptionId: id,
    transactionId: id,
    clientAccnum: account,
    clientSubacc: subaccount,
    timestamp: arizonaText(app.clock.now()),
    amount,
    currency: 'USD',
    currencyCode: '840',
  };
}

export type PostOptions = {
  search?: string;
  secret?: string;
  remoteAddress?: string;
  contentType?: string;
  body?: string;
};

/** Sends a webhook as CCBill does, waits until it is processed and returns the HTTP status. */
export async function postEvent(
  app: TestApp,
  eventType: string,
  fields: Record<string, string>,
  options: PostOptions = {},
): Promise<number> {
  const request: InjectOptions = {
    method: 'POST',
    url: `/api/webhook/ccbill/${options.secret ?? app.ctx.config.payments.webhookSecret}?${options.search ?? `eventType=${eventType}`}`,
    headers: { 'content-type': options.contentType ?? 'application/x-www-form-encoded' },
    payload: options.body ?? new URLSearchParams(fields).toString(),
    ...(options.remoteAddress !== undefined && { remoteAddress: options.remoteAddress }),
  };
  const answer = await app.app.http.inject(request);
  await app.ctx.events.settle();
  return answer.statusCode;
}

export async function paidDeposit(
  app: TestApp,
  fan: TestUser,
  amount: number,
): Promise<{ deposit: DepositRow; saleId: string }> {
  const deposit = await order(app, fan, amount);
  const saleId = processorId();
  await postEvent(app, 'NewSaleSuccess', saleFields(app, deposit, saleId));
  return { deposit: await depositRow(app, deposit.id), saleId };
}

export function storedEvents(app: TestApp, transactionId: string) {
  return app.ctx.db.query
    .selectFrom('processor_events')
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
