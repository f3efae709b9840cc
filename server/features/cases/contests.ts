/** A dismissed report can be reviewed once. The review is an appeal that another operator decides. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { caseId } from '@stagedoor/contract/atoms/ids.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import { MEASURES } from '@stagedoor/contract/case-kinds.ts';
import type { askSecondLook, listReports } from '@stagedoor/contract/cases.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement, Transaction } from '../../kernel/db.ts';
import type { Actor } from '../../kernel/session.ts';
import { requireUser } from '../accounts/index.ts';
import { addToAppeal, appealByOf, openAppeal, presentAppeal } from './appeals.ts';
import { type DecisionRow, findDecision, lockCase } from './store.ts';

const NOTHING_DONE = 'no action was taken.';

type Reported = {
  id: string;
  reference: string;
  title: string;
  state: string;
  outcome: string | null;
  at: Date;
  was_refunded: boolean;
  dismissed_at: Date | null;
  look_reference: string | null;
  look_state: string | null;
  look_outcome: string | null;
  /** The caller requested the review. */
  is_own_look: boolean;
};
const REPORTED: Statement = {
  name: 'cases-own-reports',
  // Once a review was overturned, neither it nor its dismissal counts any more.
  text: `select c.id, c.reference, c.title, c.state, c.outcome, r.at, d.at as dismissed_at,
      exists (select from case_decisions f where f.case_id = c.id and f.act = 'refund') as was_refunded,
      a.reference as look_reference, a.state as look_state, a.outcome as look_outcome,
      exists (select from case_entries m where m.case_id = a.id and m.kind = 'message' and m.by_id = $1) as is_own_look
    from (select case_id, min(at) as at from case_entries where by_id = $1 and kind = 'report'
      group by case_id order by min(at) desc, case_id desc limit $2) r
    join cases c on c.id = r.case_id
    left join lateral (select id, at from case_decisions where case_id = c.id and act = 'dismiss' and c.state = 'closed'
      order by id desc limit 1) d on true
    left join cases a on a.decision_id = d.id and a.kind = 'appeal'
    order by r.at desc, c.id desc`,
};
const SHOWN = 50;

type OwnReport = AnswerOf<typeof listReports>['data'][number];

function outcomeOf({ state, outcome, was_refunded: wasRefunded }: Reported): OwnReport['outcome'] {
  if (state !== 'closed') return null;
  return wasRefunded || MEASURES.some((act) => act === outcome) ? 'acted' : 'nothing';
}

function present(ctx: Context, row: Reported): OwnReport {
  const outcome = outcomeOf(row);
  const by = row.dismissed_at && appealByOf(row.dismissed_at);
  const isOpenToAsk = outcome === 'nothing' && by && by > ctx.clock.now() && mayJoin(row.look_state, row.is_own_look);
  const { look_reference: reference, look_state: state, look_outcome: looked } = row;
  return {
    id: z.parse(caseId, row.id),
    reference: row.reference,
    title: row.title,
    at: row.at.toISOString(),
    outcome,
    lookBy: isOpenToAsk ? by.toISOString() : null,
    look: row.is_own_look && reference && state ? presentAppeal({ reference, state, outcome: looked }) : null,
  };
}

/** Reporters share one review. They join it while it is open, and its outcome is final for all. */
const mayJoin = (state: string | null, isOwn: boolean) => !isOwn && state !== 'closed';

export async function ownReports(ctx: Context, actor: Actor): Promise<AnswerOf<typeof listReports>> {
  const rows = await ctx.db.run<Reported>(REPORTED, [actor.userId, SHOWN]);
  return { data: rows.map((row) => present(ctx, row)) };
}

const DISMISSAL: Statement = {
  name: 'cases-own-dismissal',
  text: `select d.id from case_decisions d join cases c on c.id = d.case_id
    where d.case_id = $1 and d.act = 'dismiss' and d.undone_at is null and c.kind = 'report' and c.state = 'closed'
      and not exists (select from case_decisions f where f.case_id = c.id and f.act = 'refund')
    order by d.id desc limit 1`,
};
const OWN: Statement = {
  name: 'cases-has-reported',
  text: `select id from case_entries where case_id = $1 and by_id = $2 and kind = 'report' limit 1`,
};
const WROTE: Statement = {
  name: 'cases-has-written',
  text: `select id from case_entries where case_id = $1 and by_id = $2 and kind = 'message' limit 1`,
};

const isThere = async (db: Executor, statement: Statement, values: unknown[]) =>
  (await db.run<{ id: string }>(statement, values)).length > 0;

/** Returns the dismissal that can be reviewed. Throws CONFLICT. */
async function requireDismissal(ctx: Context, tx: Transaction, id: string): Promise<DecisionRow> {
  const [dismissed] = await tx.run<{ id: string }>(DISMISSAL, [id]);
  const decision = dismissed && (await findDecision(tx, dismissed.id));
  if (!decision) throw new AppError('CONFLICT', { message: 'There’s nothing to review.' });
  if (appealByOf(decision.at) <= ctx.clock.now())
    throw new AppError('CONFLICT', { message: 'It’s too late to request a review.' });
  return decision;
}

/**
 * Requests a review. Throws NOT_FOUND if the caller did not report the case, CONFLICT if there is nothing to review or
 * it was requested already.
 */
export async function askAgain(
  ctx: Context,
  actor: Actor,
  id: string,
  message: string,
): Promise<AnswerOf<typeof askSecondLook>> {
  if (!(await isThere(ctx.db, OWN, [id, actor.userId]))) throw new AppError('NOT_FOUND');
  const { email } = await requireUser(ctx.db, actor.userId);
  const from = { id: actor.userId, name: actor.username, email };
  const { reference } = await ctx.db.transaction(async (tx) => {
    // Concurrent requests wait here for the first.
    await lockCase(tx, id);
    const decision = await requireDismissal(ctx, tx, id);
    const known = await tx.query
      .selectFrom('cases')
      .select(['id', 'reference', 'state'])
      .where('kind', '=', 'appeal')
      .where('decision_id', '=', decision.id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!known) return openAppeal(ctx, tx, decision, { from, title: NOTHING_DONE, message });
    const isOwn = await isThere(tx, WROTE, [known.id, actor.userId]);
    if (!mayJoin(known.state, isOwn))
      throw new AppError('CONFLICT', {
        message: isOwn
          ? 'You’ve already requested a review.'
          : 'This was already reviewed a second time. The decision stands.',
      });
    await addToAppeal(ctx, tx, known, { byId: actor.userId, message });
    return known;
  });
  return { success: true, reference, message: `A different person will review it. Reference: ${reference}.` };
}
