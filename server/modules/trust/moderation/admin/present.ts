import type { getCase, listCases } from '@stagedoor/contract/admin/cases.ts';
import { countBusinessDays } from '@stagedoor/contract/finance/business-days.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import { CASE_ACTIONS, CASE_KINDS, CASE_STATES } from '@stagedoor/contract/trust/case-kinds.ts';
import * as z from 'zod/mini';
import type { Executor } from '../../../../platform/database/db.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { findUserSummaries, type UserSummary } from '../../../identity/accounts/index.ts';
import { canUndoDecision } from '../access.ts';
import { CASE_KIND_RULES } from '../kinds.ts';
import type { CaseDecisionRow, CaseRow } from '../store.ts';

export type InboxCase = ResponseInputOf<typeof listCases>['data'][number];

export function presentDeadline(row: Pick<CaseRow, 'kind' | 'due_at'>, now: Date): InboxCase['deadline'] {
  const unit = 'hours' in CASE_KIND_RULES[row.kind].deadline ? 'hours' : 'businessDays';
  return { dueAt: row.due_at.toISOString(), unit, businessDaysLeft: countBusinessDays(now, row.due_at) };
}

function getSenderLabel(row: CaseRow, usersById: ReadonlyMap<string, UserSummary>): string {
  const writer = row.from_id === null ? undefined : usersById.get(row.from_id);
  if (writer) return `@${writer.username}`;
  return row.from_name || row.from_email || 'someone';
}

function presentInboxCase(row: CaseRow, usersById: ReadonlyMap<string, UserSummary>, now: Date): InboxCase {
  const assignee = row.assigned_to === null ? undefined : usersById.get(row.assigned_to);
  return {
    id: row.id,
    reference: row.reference,
    kind: row.kind,
    queue: row.queue,
    state: row.state,
    title: row.title,
    subject: row.subject,
    user: (row.user_id && usersById.get(row.user_id)) || null,
    from: getSenderLabel(row, usersById),
    reports: row.report_count,
    assignee: assignee ? { id: assignee.id, username: assignee.username } : null,
    openedAt: row.opened_at.toISOString(),
    deadline: presentDeadline(row, now),
    closedAt: row.closed_at?.toISOString() ?? null,
  };
}

export async function presentInboxCases(db: Executor, rows: readonly CaseRow[], now: Date): Promise<InboxCase[]> {
  const ids = rows.flatMap((row) => [row.user_id, row.from_id, row.assigned_to]);
  const usersById = await findUserSummaries(
    db,
    ids.flatMap((id) => id ?? []),
  );
  return rows.map((row) => presentInboxCase(row, usersById, now));
}

type DecisionView = ResponseInputOf<typeof getCase>['decisions'][number];
export type DecisionWithCase = CaseDecisionRow & { reference: string } & EndedCaseColumns;
type EndedCaseColumns = Pick<CaseRow, 'outcome' | 'from_id'> & { case_kind: string; case_state: string };
export const CASE_COLUMNS = [
  'c.reference',
  'c.outcome',
  'c.from_id',
  'c.kind as case_kind',
  'c.state as case_state',
] as const;
const endSchema = z.object({ kind: z.enum(CASE_KINDS), state: z.enum(CASE_STATES) });

export async function presentDecisions(
  db: Executor,
  actor: Actor,
  rows: readonly DecisionWithCase[],
): Promise<DecisionView[]> {
  const usersById = await findUserSummaries(
    db,
    rows.flatMap(({ operator_id: id }) => id ?? []),
  );
  const actionSchema = z.enum(CASE_ACTIONS);
  return rows.map((row) => ({
    id: row.id,
    caseId: row.case_id,
    reference: row.reference,
    action: z.parse(actionSchema, row.action),
    at: row.at.toISOString(),
    until: row.until?.toISOString() ?? null,
    reason: row.reason,
    operator: usersById.get(row.operator_id ?? '')?.username ?? null,
    undoneAt: row.undone_at?.toISOString() ?? null,
    canUndo: canUndoDecision(actor, row, {
      ...row,
      ...z.parse(endSchema, { kind: row.case_kind, state: row.case_state }),
    }),
  }));
}
