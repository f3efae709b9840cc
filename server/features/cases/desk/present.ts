import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import { businessDaysLeft } from '@stagedoor/contract/business-days.ts';
import { CASE_ACTS, CASE_KINDS, CASE_STATES } from '@stagedoor/contract/case-kinds.ts';
import type { listCases, readCase } from '@stagedoor/contract/cases-desk.ts';
import * as z from 'zod/mini';
import type { Executor } from '../../../kernel/db.ts';
import type { Actor } from '../../../kernel/session.ts';
import { findPeople, type Person } from '../../accounts/index.ts';
import { mayUndo } from '../access.ts';
import { KINDS } from '../kinds.ts';
import type { CaseRow, DecisionRow } from '../store.ts';

export type Line = AnswerOf<typeof listCases>['data'][number];

export function clockOf(row: Pick<CaseRow, 'kind' | 'due_at'>, now: Date): Line['clock'] {
  const unit = 'hours' in KINDS[row.kind].clock ? 'hours' : 'businessDays';
  return { dueAt: row.due_at.toISOString(), unit, businessDaysLeft: businessDaysLeft(now, row.due_at) };
}

function fromOf(row: CaseRow, people: ReadonlyMap<string, Person>): string {
  const writer = row.from_id === null ? undefined : people.get(row.from_id);
  if (writer) return `@${writer.username}`;
  return row.from_name || row.from_email || 'someone';
}

function presentLine(row: CaseRow, people: ReadonlyMap<string, Person>, now: Date): Line {
  const assignee = row.assigned_to === null ? undefined : people.get(row.assigned_to);
  return {
    id: row.id,
    reference: row.reference,
    kind: row.kind,
    queue: row.queue,
    state: row.state,
    title: row.title,
    subject: row.subject,
    person: (row.person_id && people.get(row.person_id)) || null,
    from: fromOf(row, people),
    reports: row.report_count,
    assignee: assignee ? { id: assignee.id, username: assignee.username } : null,
    openedAt: row.opened_at.toISOString(),
    clock: clockOf(row, now),
    closedAt: row.closed_at?.toISOString() ?? null,
  };
}

export async function presentLines(db: Executor, rows: readonly CaseRow[], now: Date): Promise<Line[]> {
  const ids = rows.flatMap((row) => [row.person_id, row.from_id, row.assigned_to]);
  const people = await findPeople(
    db,
    ids.flatMap((id) => id ?? []),
  );
  return rows.map((row) => presentLine(row, people, now));
}

type Decision = AnswerOf<typeof readCase>['decisions'][number];
export type DecisionOfCase = DecisionRow & { reference: string } & Ended;
type Ended = Pick<CaseRow, 'outcome' | 'from_id'> & { case_kind: string; case_state: string };
export const OF_CASE = [
  'c.reference',
  'c.outcome',
  'c.from_id',
  'c.kind as case_kind',
  'c.state as case_state',
] as const;
const endShape = z.object({ kind: z.enum(CASE_KINDS), state: z.enum(CASE_STATES) });

export async function presentDecisions(
  db: Executor,
  actor: Actor,
  rows: readonly DecisionOfCase[],
): Promise<Decision[]> {
  const people = await findPeople(
    db,
    rows.flatMap(({ operator_id: id }) => id ?? []),
  );
  const shape = z.enum(CASE_ACTS);
  return rows.map((row) => ({
    id: row.id,
    caseId: row.case_id,
    reference: row.reference,
    act: z.parse(shape, row.act),
    at: row.at.toISOString(),
    until: row.until?.toISOString() ?? null,
    ground: row.ground,
    operator: people.get(row.operator_id ?? '')?.username ?? null,
    undoneAt: row.undone_at?.toISOString() ?? null,
    canUndo: mayUndo(actor, row, { ...row, ...z.parse(endShape, { kind: row.case_kind, state: row.case_state }) }),
  }));
}
