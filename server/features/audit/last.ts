/** When an operator last did something, for whoever holds them to what they saw then. */
import type { Executor, Statement } from '../../kernel/db.ts';
import type { Act } from './log.ts';

const LAST: Statement = {
  name: 'audit-last',
  text: `select at from audit_log where subject_kind = $1 and subject_id = $2 and act = $3 and operator_id = $4 order by place desc limit 1`,
};

/** Nothing when they never did it. */
export async function lastDone(
  db: Executor,
  { subjectKind, subjectId, act, operatorId }: Pick<Act, 'subjectKind' | 'subjectId' | 'act'> & { operatorId: string },
): Promise<Date | undefined> {
  return (await db.run<{ at: Date }>(LAST, [subjectKind, subjectId, act, operatorId]))[0]?.at;
}

const LAST_OF: Statement = { name: 'audit-last-of', text: 'select max(at) as at from audit_log where act = any ($1)' };

/** When anybody last did any of these; nothing when nobody ever did. */
export async function lastOf(db: Executor, acts: readonly string[]): Promise<Date | undefined> {
  return (await db.run<{ at: Date | null }>(LAST_OF, [acts]))[0]?.at ?? undefined;
}
