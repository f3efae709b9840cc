import { randomUUID } from 'node:crypto';
import type { PayoutDetails, PayoutMethod } from '@stagedoor/contract/finance/payouts.ts';
import type { TestApp, TestUser } from '../../../testing/app.ts';
import { chargeFanNow } from '../../commerce/sales/index.ts';
import { makeVerified } from '../../compliance/verification/testing.ts';
import { account, clearDue, postTransaction, setDailyLimit } from '../../ledger/ledger/index.ts';
import { checkLedger } from '../../ledger/ledger-checks/index.ts';

export { listOnHoldReasons } from './eligibility.ts';

export const ACH = {
  kind: 'ach',
  holder: 'Jane Creator',
  routing: '091000019',
  account: '744567899',
  accountType: 'Checking Account',
  region: 'Domestic (USA)',
} satisfies PayoutDetails;

export const INTERNATIONAL_BANK = {
  kind: 'ach',
  holder: 'Jane Creator',
  routing: 'DEUTDEFF',
  account: 'DE89370400440532013000',
  accountType: 'Checking Account',
  region: 'International',
} satisfies PayoutDetails;

export const BITCOIN: PayoutDetails = {
  kind: 'crypto',
  coin: 'BTC',
  network: 'bitcoin',
  address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
};

const DAY_MS = 24 * 60 * 60_000;

export async function createEarnings(
  app: TestApp,
  creatorId: string,
  grossCents: number,
): Promise<{ saleId: string; fan: TestUser }> {
  const fan = await app.signUp('customer');
  await app.ctx.db.transaction(async (tx) => {
    await setDailyLimit(tx, fan.id, grossCents);
    const legs = [
      [account.clearing('ccbill'), grossCents],
      [account.wallet(fan.id), -grossCents],
    ] as const;
    await postTransaction(tx, { kind: 'deposit', legs, at: app.clock.now() });
  });
  const charge = { kind: 'tip', fanId: fan.id, creatorId, grossCents, operationId: randomUUID(), at: app.clock.now() };
  const { transactionId } = await chargeFanNow(app.ctx.db, charge);
  app.clock.advance(7 * DAY_MS);
  await clearDue(app.ctx.db, app.clock.now());
  return { saleId: transactionId, fan };
}

export async function createPayee(app: TestApp, availableCents: number): Promise<TestUser> {
  const creator = await app.signUp('creator');
  await makeVerified(app.ctx, creator.id);
  if (availableCents > 0) await createEarnings(app, creator.id, Math.round(availableCents / 0.9));
  return creator;
}

export async function createPayoutMethod(
  app: TestApp,
  user: TestUser,
  details: PayoutDetails = ACH,
): Promise<PayoutMethod> {
  const response = await user.inject('POST', '/api/payout-methods', { currentPassword: user.password, details });
  if (response.statusCode !== 200) throw new Error(response.body);
  app.clock.advance(3 * DAY_MS);
  return response.json();
}

export const requestPayoutAs = (user: TestUser, amount: number, methodId: string, key: string = randomUUID()) =>
  user.inject('POST', '/api/creator/payouts', { amount, methodId }, { 'idempotency-key': key });

export async function createPayoutRequest(app: TestApp, usd: number, details?: PayoutDetails) {
  const creator = await createPayee(app, usd * 100);
  const method = await createPayoutMethod(app, creator, details);
  const { id } = (await requestPayoutAs(creator, usd, method.id)).json<{ id: string }>();
  return { creator, method, id };
}

/** The actions in the audit log about a payout or a batch as an operator sees them, newest first. */
export async function listLoggedActions(operator: TestUser, subjectId: string): Promise<string[]> {
  const { data } = (await operator.inject('GET', `/api/admin/audit?subjectId=${subjectId}`)).json();
  return data.map(({ action }: { action: string }) => action);
}

export async function expectCleanLedger(app: TestApp): Promise<void> {
  const { checks } = await checkLedger(app.ctx.db);
  const wrong = checks.filter((one) => one.wrong.length > 0);
  if (wrong.length > 0) throw new Error(JSON.stringify(wrong));
}
