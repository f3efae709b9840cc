import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import type { AuditAction } from './log.ts';

const FIND_LAST_BY_OPERATOR: SqlStatement = {
  name: 'audit-log-find-last-by-operator',
  text: `select at from audit_log where subject_kind = $1 and subject_id = $2 and action = $3 and operator_id = $4 order by position desc limit 1`,
};

export async function findOperatorActionAt(
  db: Executor,
  {
    subjectKind,
    subjectId,
    action,
    operatorId,
  }: Pick<AuditAction, 'subjectKind' | 'subjectId' | 'action'> & { operatorId: string },
): Promise<Date | undefined> {
  return (await db.run<{ at: Date }>(FIND_LAST_BY_OPERATOR, [subjectKind, subjectId, action, operatorId]))[0]?.at;
}

const FIND_LATEST: SqlStatement = {
  name: 'audit-log-find-latest',
  text: 'select max(at) as at from audit_log where subject_kind = $1 and action = any ($2)',
};

export async function findLatestActionAt(
  db: Executor,
  subjectKind: string,
  actions: readonly string[],
): Promise<Date | undefined> {
  return (await db.run<{ at: Date | null }>(FIND_LATEST, [subjectKind, actions]))[0]?.at ?? undefined;
}

const LIST_LATEST: SqlStatement = {
  name: 'audit-log-list-latest',
  text: `select subject_id as id, max(at) as at from audit_log where subject_kind = $1 and action = any ($2) group by subject_id`,
};

export async function listLatestActionTimes(
  db: Executor,
  subjectKind: string,
  actions: readonly string[],
): Promise<Map<string, Date>> {
  const rows = await db.run<{ id: string; at: Date }>(LIST_LATEST, [subjectKind, actions]);
  return new Map(rows.map(({ id, at }) => [id, at]));
}

const COUNT_SINCE: SqlStatement = {
  name: 'audit-log-since',
  text: `select count(*)::int as count, min(at) as since from audit_log where subject_kind = $1 and action = any ($2) and at > $3`,
};

export async function countActionsSince(
  db: Executor,
  { subjectKind, actions, after }: { subjectKind: string; actions: readonly string[]; after: Date },
): Promise<{ count: number; since: Date | null }> {
  const [row] = await db.run<{ count: number; since: Date | null }>(COUNT_SINCE, [subjectKind, actions, after]);
  return row ?? { count: 0, since: null };
}
