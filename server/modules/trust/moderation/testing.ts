import type { decideCase } from '@stagedoor/contract/admin/cases.ts';
import type { BodyOf } from '@stagedoor/contract/shared/route.ts';
import { expect } from 'vitest';
import type { TestApp, TestUser } from '../../../testing/app.ts';

type ReportTarget = {
  user: TestUser;
  type?: 'profile' | 'post' | 'message' | 'call';
  typeId?: string;
  message?: string;
};

export function submitReportAs(
  by: TestUser,
  { user, type = 'profile', typeId = user.id, message = 'This is not theirs.' }: ReportTarget,
) {
  return by.inject('POST', '/api/report/submit-report', { reportUserId: user.id, type, typeId, message });
}

export async function getCaseId(app: TestApp, reference: string): Promise<string> {
  const row = await app.ctx.db.query
    .selectFrom('cases')
    .select('id')
    .where('reference', '=', reference)
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function createReportedCase(app: TestApp, by: TestUser, target: ReportTarget): Promise<string> {
  const response = await submitReportAs(by, target);
  expect(response.statusCode, response.body).toBe(200);
  return getCaseId(app, response.json().reference);
}

export function decideCaseAs(by: TestUser, caseId: string, decision: Partial<BodyOf<typeof decideCase>>) {
  return by.inject('POST', `/api/admin/cases/${caseId}/decision`, {
    reason: 'Rule 4: someone else’s work.',
    ...decision,
  });
}

/** The bodies of the mails to an address, newest first. */
export async function listMailBodies(app: TestApp, recipient: string): Promise<string[]> {
  const rows = await app.ctx.db.query
    .selectFrom('development_mail')
    .select('body')
    .where('recipient', '=', recipient)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ body }) => body);
}

export function getUserRestrictions(app: TestApp, userId: string) {
  return app.ctx.db.query.selectFrom('users').select('restrictions').where('id', '=', userId).executeTakeFirstOrThrow();
}

export function getUserBlock(app: TestApp, userId: string) {
  return app.ctx.db.query
    .selectFrom('users')
    .select(['is_blocked', 'blocked_until'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}

export async function listAuditActions(app: TestApp, caseId: string): Promise<string[]> {
  const rows = await app.ctx.db.query
    .selectFrom('audit_log')
    .select('action')
    .where('subject_id', '=', caseId)
    .orderBy('position')
    .execute();
  return rows.map(({ action }) => action);
}
