/** Reports (row J2): of a person, or of something of theirs. What others reported already is the same case. */
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

/** Whether somebody is among those who reported what a case is about: each counts once. */
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

/** Keeps a report. Throws VALIDATION, NOT_FOUND for what the actor may not know of, RATE_LIMITED. */
export async function report(
  ctx: Context,
  actor: Actor,
  { reportUserId, type, typeId, message }: BodyOf<typeof submitReport>,
): Promise<AnswerOf<typeof submitReport>> {
  // Who writes for a creator is counted for themself: one who floods takes no report from the others.
  const memberId = actor.member?.userId;
  if (reportUserId === actor.userId || reportUserId === memberId)
    throw invalid('reportUserId', 'You cannot report yourself.');
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
      // What waited for somebody is looked at anew.
      await changeCase(tx, row.id, row.state === 'waiting' ? { ...changes, state: 'open' } : changes);
      const isHung = copy !== undefined && (await hangProfile(tx, row.id, copy));
      return { answer: row.reference, isHung };
    }),
  );
  return { success: true, reference, message: `Thank you. We look at it; its number is ${reference}.` };
}
