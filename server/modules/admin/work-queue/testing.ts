import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { requireCleanLedger } from '../../commerce/deposits/testing.ts';

export const REASON = 'looked at the papers';

export type ApprovalTest = { app: TestApp; owner: TestUser; second: TestUser; fan: TestUser; creator: TestUser };

/** Amounts above $100 need two operators. */
export async function createApprovalTest(): Promise<ApprovalTest> {
  const app = await createTestApp({ env: { ADMIN_STEP_UP_MINUTES: String(20 * 24 * 60) } });
  const [owner, second] = [await app.signUp('operator'), await app.signUp('operator', { roles: ['finance'] })];
  const [fan, creator] = [await app.signUp('customer'), await app.signUp('creator')];
  await app.owner.query.updateTable('payout_settings').set({ second_approver_cents: 10_000 }).execute();
  return { app, owner, second, fan, creator };
}

export async function closeApprovalTest({ app }: Pick<ApprovalTest, 'app'>): Promise<void> {
  await app.ctx.events.waitUntilIdle();
  await requireCleanLedger(app);
  await app.close();
}

export type ApprovalView = {
  id: string;
  kind: string;
  subjectId: string;
  subjectLabel: string;
  amount: number;
  operator: string;
  outcome?: string;
  decidedBy?: string;
};

export async function listApprovalsAs(operator: TestUser): Promise<{ data: ApprovalView[]; decided: ApprovalView[] }> {
  return (await operator.inject('GET', '/api/admin/approvals')).json();
}

export function decideApprovalAs(operator: TestUser, id: string | undefined, decision = 'confirm') {
  return operator.inject('POST', `/api/admin/approvals/${id}/decision`, { decision, reason: 'so it is' });
}

export function refund(operator: TestUser, caseId: string, sales: string[]) {
  return operator.inject('POST', `/api/admin/cases/${caseId}/decision`, { action: 'refund', reason: REASON, sales });
}

export function writeOff(operator: TestUser, fan: TestUser) {
  return operator.inject('POST', `/api/admin/debtors/${fan.id}/decision`, { decision: 'writeOff', reason: REASON });
}

export async function tipTo(creator: TestUser, fan: TestUser, amount: number): Promise<string> {
  const key = { 'idempotency-key': randomUUID() };
  const response = await fan.inject('POST', `/api/tip/customer-send/${creator.id}`, { amount, type: 'profile' }, key);
  expect(response.statusCode, response.body).toBe(200);
  return response.json().transactionId;
}
