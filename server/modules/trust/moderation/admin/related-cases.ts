import { canOperatorReadQueue } from '@stagedoor/contract/admin/operator-rights.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import type { ReportSubject } from '@stagedoor/contract/trust/case-kinds.ts';
import type { Context } from '../../../../platform/context.ts';
import type { Executor } from '../../../../platform/database/db.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { type CaseRow, toCaseRow } from '../store.ts';
import { listReadableQueues, searchInbox } from './inbox.ts';
import { CASE_COLUMNS, presentDecisions, presentInboxCases } from './present.ts';
import { selectDecisions } from './view.ts';

/** Returns the newest cases that the operator may read. */
export async function searchCases(ctx: Context, actor: Actor, text: string, limit: number) {
  const rows = isId(text)
    ? (
        await ctx.db.query
          .selectFrom('cases')
          .selectAll()
          .where('id', '=', text)
          .where('queue', 'in', listReadableQueues(actor))
          .execute()
      ).map(toCaseRow)
    : await searchInbox(ctx.db, actor, text, { limit, offset: '0', view: 'open' });
  return presentInboxCases(ctx.db, rows.slice(0, limit), ctx.clock.now());
}

export async function findCaseId({ query }: Executor, reference: string): Promise<string | undefined> {
  const row = await query.selectFrom('cases').select('id').where('reference', '=', reference).executeTakeFirst();
  return row?.id;
}

function listCasesBy(ctx: Context, actor: Actor, column: 'user_id' | 'from_id', id: string, limit: number) {
  return ctx.db.query
    .selectFrom('cases')
    .selectAll()
    .where(column, '=', id)
    .where('queue', 'in', listReadableQueues(actor))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Returns the newest cases and decisions that the operator may read. */
export async function listContentCases(ctx: Context, actor: Actor, subject: ReportSubject, id: string, limit: number) {
  const rows = await ctx.db.query
    .selectFrom('cases')
    .selectAll()
    .where('subject_id', '=', id)
    .where('subject', '=', subject)
    .where('queue', 'in', listReadableQueues(actor))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const decisionRows = await ctx.db.query
    .selectFrom('case_decisions as d')
    .innerJoin('cases as c', 'c.id', 'd.case_id')
    .selectAll('d')
    .select(CASE_COLUMNS)
    .where('c.subject_id', '=', id)
    .where('c.subject', '=', subject)
    .where('c.queue', 'in', listReadableQueues(actor))
    .orderBy('d.id', 'desc')
    .limit(limit)
    .execute();
  const [cases, decisions] = await Promise.all([
    presentInboxCases(ctx.db, rows.map(toCaseRow), ctx.clock.now()),
    presentDecisions(ctx.db, actor, decisionRows),
  ]);
  return { cases, decisions };
}

/** Returns the newest cases and decisions that the operator may read. */
export async function listUserCases(ctx: Context, actor: Actor, userId: string, limit: number) {
  const [aboutRows, writtenRows, decisionRows] = await Promise.all([
    listCasesBy(ctx, actor, 'user_id', userId, limit),
    listCasesBy(ctx, actor, 'from_id', userId, limit),
    canOperatorReadQueue(actor.roles ?? [], 'reports')
      ? selectDecisions(ctx.db, 'd.user_id', userId).limit(limit).execute()
      : [],
  ]);
  const presentRows = (rows: typeof aboutRows) =>
    presentInboxCases(ctx.db, rows.map(toCaseRow) satisfies CaseRow[], ctx.clock.now());
  const [aboutUser, writtenByUser, decisions] = await Promise.all([
    presentRows(aboutRows),
    presentRows(writtenRows),
    presentDecisions(ctx.db, actor, decisionRows),
  ]);
  return { casesAbout: aboutUser, casesFrom: writtenByUser, decisions };
}
