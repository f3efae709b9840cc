import type { TestApp, TestUser } from '../../../testing/app.ts';
import { checkLedger } from '../../ledger/ledger-checks/index.ts';
import { buildReversalFields, buildSaleFields, createProcessorId, postWebhook } from '../ccbill/testing.ts';
import type { DepositRow } from './store.ts';

/** Polls `probe` every 20 ms until it returns a value. Throws after 20 seconds. */
export async function waitUntil<T>(
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  description = 'it',
): Promise<T> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const value = await probe();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`${description} did not happen in time`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function createOrder(app: TestApp, fan: TestUser, amount: number): Promise<DepositRow> {
  const response = await fan.inject('POST', '/api/customer/deposite-fund', { paymentProvider: 'ccbill', amount });
  if (response.statusCode !== 200) throw new Error(response.body);
  return getDepositRow(app, response.json<{ depositId: string }>().depositId);
}

export function getDepositRow(app: TestApp, id: string): Promise<DepositRow> {
  return app.ctx.db.query.selectFrom('deposits').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** The deposits of a fan that were credited, oldest first. */
export function listPaidDeposits(app: TestApp, fanId: string): Promise<DepositRow[]> {
  return app.ctx.db.query
    .selectFrom('deposits')
    .selectAll()
    .where('fan_id', '=', fanId)
    .where('status', '=', 'success')
    .orderBy('id')
    .execute();
}

export function getRecurringPayment(app: TestApp, subscriptionId: string) {
  return app.ctx.db.query
    .selectFrom('recurring_payments')
    .selectAll()
    .where('processor_subscription_id', '=', subscriptionId)
    .executeTakeFirstOrThrow();
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
