import type { BodyOf } from '@stagedoor/contract/atoms/route.ts';
import type { decideCase } from '@stagedoor/contract/cases-desk.ts';
import { expect } from 'vitest';
import type { TestApp, TestUser } from '../../testing/app.ts';

type Reported = { person: TestUser; type?: 'profile' | 'post' | 'message' | 'call'; typeId?: string; message?: string };

export function reportIt(
  by: TestUser,
  { person, type = 'profile', typeId = person.id, message = 'This is not theirs.' }: Reported,
) {
  return by.inject('POST', '/api/report/submit-report', { reportUserId: person.id, type, typeId, message });
}

export async function caseIdOf(app: TestApp, reference: string): Promise<string> {
  const row = await app.ctx.db.query
    .selectFrom('cases')
    .select('id')
    .where('reference', '=', reference)
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function reportedCase(app: TestApp, by: TestUser, reported: Reported): Promise<string> {
  const answer = await reportIt(by, reported);
  expect(answer.statusCode, answer.body).toBe(200);
  return caseIdOf(app, answer.json().reference);
}

export function decideIt(by: TestUser, caseId: string, wish: Partial<BodyOf<typeof decideCase>>) {
  return by.inject('POST', `/api/admin/cases/${caseId}/decision`, { ground: 'Rule 4: someone else’s work.', ...wish });
}

export async function auditOf(app: TestApp, caseId: string): Promise<string[]> {
  const rows = await app.ctx.db.query
    .selectFrom('audit_log')
    .select('act')
    .where('subject_id', '=', caseId)
    .orderBy('place')
    .execute();
  return rows.map(({ act }) => act);
}
