import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { requireCleanLedger } from '../payments/testing.ts';

export const GROUND = 'looked at the papers';

export type Two = { app: TestApp; owner: TestUser; second: TestUser; fan: TestUser; creator: TestUser };

/** Amounts above $100 need two operators. */
export async function openTwo(): Promise<Two> {
  const app = await createTestApp({ env: { OPERATOR_PROOF_MINUTES: String(20 * 24 * 60) } });
  const [owner, second] = [await app.signUp('operator'), await app.signUp('operator', { roles: ['finance'] })];
  const [fan, creator] = [await app.signUp('customer'), await app.signUp('creator')];
  await app.owner.query.updateTable('payout_settings').set({ second_approver_cents: 10_000 }).execute();
  return { app, owner, second, fan, creator };
}

export async function closeTwo({ app }: Pick<Two, 'app'>): Promise<void> {
  await app.ctx.events.settle();
  await requireCleanLedger(app);
  await app.close();
}

export type MoneyAct = {
  id: string;
  kind: string;
  subjectId: string;
  about: string;
  amount: number;
  operator: string;
  outcome?: string;
  endedBy?: string;
};

export async function actsSeenBy(by: TestUser): Promise<{ data: MoneyAct[]; ended: MoneyAct[] }> {
  return (await by.inject('GET', '/api/admin/money-acts')).json();
}

export function decideAct(by: TestUser, id: string | undefined, decision = 'confirm') {
  return by.inject('POST', `/api/admin/money-acts/${id}/decision`, { decision, ground: 'so it is' });
}

export function refund(by: TestUser, caseId: string, sales: string[]) {
  return by.inject('POST', `/api/admin/cases/${caseId}/decision`, { act: 'refund', ground: GROUND, sales });
}

export function writeOff(by: TestUser, fan: TestUser) {
  return by.inject('POST', `/api/admin/debtors/${fan.id}/decision`, { decision: 'writeOff', ground: GROUND });
}

export async function tipTo(creator: TestUser, fan: TestUser, amount: number): Promise<string> {
  const key = { 'idempotency-key': randomUUID() };
  const answer = await fan.inject('POST', `/api/tip/customer-send/${creator.id}`, { amount, type: 'profile' }, key);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().transactionId;
}
