import { randomUUID } from 'node:crypto';
import type { PayoutDetails, PayoutMethod } from '@stagedoor/contract/payouts.ts';
import type { TestApp, TestUser } from '../../testing/app.ts';
import { account, checkLedger, clearDue, post, setDailyLimit } from '../ledger/index.ts';
import { chargeNow } from '../sales/index.ts';
import { makeVerified } from '../verification/testing.ts';

export { heldBack } from './gates.ts';

export const ACH: PayoutDetails = {
  kind: 'ach',
  holder: 'Jane Creator',
  routing: '091000019',
  account: '744567899',
  accountType: 'Checking Account',
  region: 'Domestic (USA)',
};

export const BITCOIN: PayoutDetails = {
  kind: 'crypto',
  coin: 'BTC',
  network: 'bitcoin',
  address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
};

const DAY_MS = 24 * 60 * 60_000;

export async function earn(
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
    await post(tx, { kind: 'deposit', legs, at: app.clock.now() });
  });
  const charge = { kind: 'tip', fanId: fan.id, creatorId, grossCents, operationId: randomUUID(), at: app.clock.now() };
  const { transactionId } = await chargeNow(app.ctx.db, charge);
  app.clock.advance(7 * DAY_MS);
  await clearDue(app.ctx.db, app.clock.now());
  return { saleId: transactionId, fan };
}

export async function payee(app: TestApp, availableCents: number): Promise<TestUser> {
  const creator = await app.signUp('creator');
  await makeVerified(app.ctx, creator.id);
  if (availableCents > 0) await earn(app, creator.id, Math.round(availableCents / 0.9));
  return creator;
}

export async function addMethod(app: TestApp, who: TestUser, details: PayoutDetails = ACH): Promise<PayoutMethod> {
  const answer = await who.inject('POST', '/api/payout-methods', { currentPassword: who.password, details });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  app.clock.advance(3 * DAY_MS);
  return answer.json();
}

export const requestIt = (who: TestUser, amount: number, methodId: string, key: string = randomUUID()) =>
  who.inject('POST', '/api/creator/payouts', { amount, methodId }, { 'idempotency-key': key });

export async function requireCleanBooks(app: TestApp): Promise<void> {
  const { checks } = await checkLedger(app.ctx.db);
  const wrong = checks.filter((one) => one.wrong.length > 0);
  if (wrong.length > 0) throw new Error(JSON.stringify(wrong));
}
