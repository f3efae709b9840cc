import { isId } from '@stagedoor/contract/atoms/ids.ts';
import type { Subject } from '@stagedoor/contract/case-kinds.ts';
import { operatorReadsQueue } from '@stagedoor/contract/operator-rights.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Executor } from '../../../kernel/db.ts';
import type { Actor } from '../../../kernel/session.ts';
import { type CaseRow, readRow } from '../store.ts';
import { queuesOf, readFound } from './list.ts';
import { OF_CASE, presentDecisions, presentLines } from './present.ts';
import { decisionsWhere } from './view.ts';

/** Returns the newest cases that the operator may read. */
export async function casesCalled(ctx: Context, actor: Actor, text: string, limit: number) {
  const rows = isId(text)
    ? (
        await ctx.db.query
          .selectFrom('cases')
          .selectAll()
          .where('id', '=', text)
          .where('queue', 'in', queuesOf(actor))
          .execute()
      ).map(readRow)
    : await readFound(ctx.db, actor, text, { limit, offset: '0', view: 'open' });
  return presentLines(ctx.db, rows.slice(0, limit), ctx.clock.now());
}

export async function idOfCase({ query }: Executor, reference: string): Promise<string | undefined> {
  const row = await query.selectFrom('cases').select('id').where('reference', '=', reference).executeTakeFirst();
  return row?.id;
}

function casesBy(ctx: Context, actor: Actor, column: 'person_id' | 'from_id', id: string, limit: number) {
  return ctx.db.query
    .selectFrom('cases')
    .selectAll()
    .where(column, '=', id)
    .where('queue', 'in', queuesOf(actor))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Returns the newest cases and decisions that the operator may read. */
export async function casesOfThing(ctx: Context, actor: Actor, subject: Subject, id: string, limit: number) {
  const rows = await ctx.db.query
    .selectFrom('cases')
    .selectAll()
    .where('subject_id', '=', id)
    .where('subject', '=', subject)
    .where('queue', 'in', queuesOf(actor))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const decided = await ctx.db.query
    .selectFrom('case_decisions as d')
    .innerJoin('cases as c', 'c.id', 'd.case_id')
    .selectAll('d')
    .select(OF_CASE)
    .where('c.subject_id', '=', id)
    .where('c.subject', '=', subject)
    .where('c.queue', 'in', queuesOf(actor))
    .orderBy('d.id', 'desc')
    .limit(limit)
    .execute();
  const [cases, decisions] = await Promise.all([
    presentLines(ctx.db, rows.map(readRow), ctx.clock.now()),
    presentDecisions(ctx.db, actor, decided),
  ]);
  return { cases, decisions };
}

/** Returns the newest cases and decisions that the operator may read. */
export async function casesAround(ctx: Context, actor: Actor, personId: string, limit: number) {
  const [about, wrote, decided] = await Promise.all([
    casesBy(ctx, actor, 'person_id', personId, limit),
    casesBy(ctx, actor, 'from_id', personId, limit),
    operatorReadsQueue(actor.roles ?? [], 'reports')
      ? decisionsWhere(ctx.db, 'd.person_id', personId).limit(limit).execute()
      : [],
  ]);
  const lines = (rows: typeof about) => presentLines(ctx.db, rows.map(readRow) satisfies CaseRow[], ctx.clock.now());
  const [ofThem, byThem, decisions] = await Promise.all([
    lines(about),
    lines(wrote),
    presentDecisions(ctx.db, actor, decided),
  ]);
  return { about: ofThem, wrote: byThem, decisions };
}
