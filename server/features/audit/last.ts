import type { Executor, Statement } from '../../kernel/db.ts';
import type { Act } from './log.ts';

const LAST: Statement = {
  name: 'audit-last',
  text: `select at from audit_log where subject_kind = $1 and subject_id = $2 and act = $3 and operator_id = $4 order by place desc limit 1`,
};

export async function lastDone(
  db: Executor,
  { subjectKind, subjectId, act, operatorId }: Pick<Act, 'subjectKind' | 'subjectId' | 'act'> & { operatorId: string },
): Promise<Date | undefined> {
  return (await db.run<{ at: Date }>(LAST, [subjectKind, subjectId, act, operatorId]))[0]?.at;
}

const LAST_OF: Statement = {
  name: 'audit-last-of',
  text: 'select max(at) as at from audit_log where subject_kind = $1 and act = any ($2)',
};

export async function lastOf(db: Executor, subjectKind: string, acts: readonly string[]): Promise<Date | undefined> {
  return (await db.run<{ at: Date | null }>(LAST_OF, [subjectKind, acts]))[0]?.at ?? undefined;
}

const LAST_OF_EACH: Statement = {
  name: 'audit-last-of-each',
  text: `select subject_id as id, max(at) as at from audit_log where subject_kind = $1 and act = any ($2) group by subject_id`,
};

export async function lastOfEach(
  db: Executor,
  subjectKind: string,
  acts: readonly string[],
): Promise<Map<string, Date>> {
  const rows = await db.run<{ id: string; at: Date }>(LAST_OF_EACH, [subjectKind, acts]);
  return new Map(rows.map(({ id, at }) => [id, at]));
}

const SINCE: Statement = {
  name: 'audit-since',
  text: `select count(*)::int as count, min(at) as since from audit_log where subject_kind = $1 and act = any ($2) and at > $3`,
};

export async function countSince(
  db: Executor,
  { subjectKind, acts, after }: { subjectKind: string; acts: readonly string[]; after: Date },
): Promise<{ count: number; since: Date | null }> {
  const [row] = await db.run<{ count: number; since: Date | null }>(SINCE, [subjectKind, acts, after]);
  return row ?? { count: 0, since: null };
}
