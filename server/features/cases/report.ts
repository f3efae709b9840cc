/** Reports of the same subject are merged into one case (row J2). */
import { invalid } from '@stagedoor/contract/atoms/errors.ts';
import { CASES } from '@stagedoor/contract/atoms/room-limits.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import { SUBJECT_WORDS } from '@stagedoor/contract/case-kinds.ts';
import type { submitReport } from '@stagedoor/contract/cases.ts';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import type { Actor } from '../../kernel/session.ts';
import { countWriting, REPORTS_WINDOW_MS } from './flood.ts';
import { hangProfile, withCopy } from './profiles.ts';
import { addEntry, changeCase, openCase } from './store.ts';
import { accessSubject } from './subjects.ts';

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

async function hasReported(tx: Transaction, caseId: string, userId: string): Promise<boolean> {
  const row = await tx.query
    .selectFrom('case_entries')
    .select('id')
    .where('case_id', '=', caseId)
    .where('kind', '=', 'report')
    .where('by_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores a report. Throws VALIDATION, NOT_FOUND for content that the caller may not see, RATE_LIMITED. */
export async function report(
  ctx: Context,
  actor: Actor,
  { reportUserId, type, typeId, message }: BodyOf<typeof submitReport>,
): Promise<AnswerOf<typeof submitReport>> {
  // A team member is counted under their own account, so that one who floods does not use up the limit of the others.
  const memberId = actor.member?.userId;
  if (reportUserId === actor.userId || reportUserId === memberId)
    throw invalid('reportUserId', 'You can’t report yourself.');
  await countWriting(ctx, 'report', memberId ?? actor.userId, {
    max: CASES.reportsAnHour,
    windowMs: REPORTS_WINDOW_MS,
  });
  const named = await accessSubject(ctx, actor, { subject: type, id: typeId, personId: reportUserId });
  const about = { subject: type, subjectId: typeId, personId: named.personId, snapshot: named.snapshot };
  const from = { id: actor.userId, name: '', email: '' };
  const title = `${capital(SUBJECT_WORDS[type])} reported${named.title === '' ? '' : `: ${named.title}`}`;
  const reference = await withCopy(ctx, type === 'profile' ? named.personId : undefined, (copy) =>
    ctx.db.transaction(async (tx) => {
      const { row } = await openCase(ctx, tx, { kind: 'report', title, from, about });
      const isFirst = !(await hasReported(tx, row.id, actor.userId));
      await addEntry(ctx, tx, row.id, { kind: 'report', byId: actor.userId, memberId, body: message });
      const changes = { report_count: row.report_count + (isFirst ? 1 : 0), changed_at: ctx.clock.now() };
      await changeCase(tx, row.id, row.state === 'waiting' ? { ...changes, state: 'open' } : changes);
      const isHung = copy !== undefined && (await hangProfile(tx, row.id, copy));
      return { answer: row.reference, isHung };
    }),
  );
  return { success: true, reference, message: `Thanks, we’ll review it. Reference: ${reference}.` };
}
