/** Reports (row J2): of a person, or of something of theirs. What others reported already is the same case. */
import { invalid } from '@stagedoor/contract/atoms/errors.ts';
import { CASES } from '@stagedoor/contract/atoms/room-limits.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import { SUBJECT_WORDS } from '@stagedoor/contract/case-kinds.ts';
import type { submitReport } from '@stagedoor/contract/cases.ts';
import type { Context } from '../../kernel/context.ts';
import type { Actor } from '../../kernel/session.ts';
import { countWriting, REPORTS_WINDOW_MS } from './flood.ts';
import { addEntry, changeCase, openCase } from './store.ts';
import { accessSubject } from './subjects.ts';

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** Keeps a report. Throws VALIDATION, NOT_FOUND for what the actor may not know of, RATE_LIMITED. */
export async function report(
  ctx: Context,
  actor: Actor,
  { reportUserId, type, typeId, message }: BodyOf<typeof submitReport>,
): Promise<AnswerOf<typeof submitReport>> {
  if (reportUserId === actor.userId) throw invalid('reportUserId', 'You cannot report yourself.');
  await countWriting(ctx, 'report', actor.userId, { max: CASES.reportsAnHour, windowMs: REPORTS_WINDOW_MS });
  const named = await accessSubject(ctx, actor, { subject: type, id: typeId, personId: reportUserId });
  const about = { subject: type, subjectId: typeId, personId: named.personId, snapshot: named.snapshot };
  const from = { id: actor.userId, name: '', email: '' };
  const title = `${capital(SUBJECT_WORDS[type])} reported${named.title === '' ? '' : `: ${named.title}`}`;
  const reference = await ctx.db.transaction(async (tx) => {
    const { row } = await openCase(ctx, tx, { kind: 'report', title, from, about });
    await addEntry(ctx, tx, row.id, { kind: 'report', byId: actor.userId, body: message });
    const changes = { report_count: row.report_count + 1, changed_at: ctx.clock.now() };
    // What waited for somebody is looked at anew.
    await changeCase(tx, row.id, row.state === 'waiting' ? { ...changes, state: 'open' } : changes);
    return row.reference;
  });
  return { success: true, reference, message: `Thank you. We look at it; its number is ${reference}.` };
}
