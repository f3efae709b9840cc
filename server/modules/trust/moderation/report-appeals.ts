/** A dismissed report can be reviewed once. The review is an appeal that another operator decides. */

import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { caseId } from '@stagedoor/contract/shared/ids.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import { MEASURES } from '@stagedoor/contract/trust/case-kinds.ts';
import type { appealReport, listOwnReports } from '@stagedoor/contract/trust/moderation.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { requireUser } from '../../identity/accounts/index.ts';
import { addMessageToAppeal, getAppealDeadline, openAppeal, presentAppeal } from './appeals.ts';
import { type CaseDecisionRow, findDecision, lockCase } from './store.ts';
import * as texts from './texts.ts';

const NOTHING_DONE = 'no action was taken.';

type OwnReportRow = {
  id: string;
  reference: string;
  title: string;
  state: string;
  outcome: string | null;
  at: Date;
  was_refunded: boolean;
  dismissed_at: Date | null;
  appeal_reference: string | null;
  appeal_state: string | null;
  appeal_outcome: string | null;
  /** The caller requested the review. */
  is_own_appeal: boolean;
};
const LIST_OWN_REPORTS: SqlStatement = {
  name: 'cases-list-own-reports',
  // Once a review was overturned, neither it nor its dismissal counts any more.
  text: `select c.id, c.reference, c.title, c.state, c.outcome, r.at, d.at as dismissed_at,
      exists (select from case_decisions f where f.case_id = c.id and f.action = 'refund') as was_refunded,
      a.reference as appeal_reference, a.state as appeal_state, a.outcome as appeal_outcome,
      exists (select from case_entries m where m.case_id = a.id and m.kind = 'message' and m.by_id = $1) as is_own_appeal
    from (select case_id, min(at) as at from case_entries where by_id = $1 and kind = 'report'
      group by case_id order by min(at) desc, case_id desc limit $2) r
    join cases c on c.id = r.case_id
    left join lateral (select id, at from case_decisions where case_id = c.id and action = 'dismiss' and c.state = 'closed'
      order by id desc limit 1) d on true
    left join cases a on a.decision_id = d.id and a.kind = 'appeal'
    order by r.at desc, c.id desc`,
};
const MAX_SHOWN = 50;

type OwnReport = ResponseInputOf<typeof listOwnReports>['data'][number];

function getOutcome({ state, outcome, was_refunded: wasRefunded }: OwnReportRow): OwnReport['outcome'] {
  if (state !== 'closed') return null;
  return wasRefunded || MEASURES.some((action) => action === outcome) ? 'acted' : 'nothing';
}

function present(ctx: Context, row: OwnReportRow): OwnReport {
  const outcome = getOutcome(row);
  const deadline = row.dismissed_at && getAppealDeadline(row.dismissed_at);
  const canAppeal =
    outcome === 'nothing' &&
    deadline &&
    deadline > ctx.clock.now() &&
    canJoinAppeal(row.appeal_state, row.is_own_appeal);
  const { appeal_reference: reference, appeal_state: state, appeal_outcome: appealOutcome } = row;
  return {
    id: z.parse(caseId, row.id),
    reference: row.reference,
    title: row.title,
    at: row.at.toISOString(),
    outcome,
    appealBy: canAppeal ? deadline.toISOString() : null,
    appeal:
      row.is_own_appeal && reference && state ? presentAppeal({ reference, state, outcome: appealOutcome }) : null,
  };
}

/** Reporters share one review. They join it while it is open, and its outcome is final for all. */
const canJoinAppeal = (state: string | null, isOwn: boolean) => !isOwn && state !== 'closed';

export async function getOwnReports(ctx: Context, actor: Actor): Promise<ResponseInputOf<typeof listOwnReports>> {
  const rows = await ctx.db.run<OwnReportRow>(LIST_OWN_REPORTS, [actor.userId, MAX_SHOWN]);
  return { data: rows.map((row) => present(ctx, row)) };
}

const DISMISSAL: SqlStatement = {
  name: 'moderation-own-dismissal',
  text: `select d.id from case_decisions d join cases c on c.id = d.case_id
    where d.case_id = $1 and d.action = 'dismiss' and d.undone_at is null and c.kind = 'report' and c.state = 'closed'
      and not exists (select from case_decisions f where f.case_id = c.id and f.action = 'refund')
    order by d.id desc limit 1`,
};
const HAS_REPORTED: SqlStatement = {
  name: 'moderation-has-reported',
  text: `select id from case_entries where case_id = $1 and by_id = $2 and kind = 'report' limit 1`,
};
const HAS_WRITTEN: SqlStatement = {
  name: 'moderation-has-written',
  text: `select id from case_entries where case_id = $1 and by_id = $2 and kind = 'message' limit 1`,
};

const exists = async (db: Executor, statement: SqlStatement, values: unknown[]) =>
  (await db.run<{ id: string }>(statement, values)).length > 0;

/** Returns the dismissal that can be reviewed. Throws CONFLICT. */
async function requireDismissal(ctx: Context, tx: DbTransaction, id: string): Promise<CaseDecisionRow> {
  const [dismissal] = await tx.run<{ id: string }>(DISMISSAL, [id]);
  const decision = dismissal && (await findDecision(tx, dismissal.id));
  if (!decision) throw new AppError('CONFLICT', { message: texts.nothingToReview });
  if (getAppealDeadline(decision.at) <= ctx.clock.now())
    throw new AppError('CONFLICT', { message: texts.reviewRequestTooLate });
  return decision;
}

/**
 * Requests a review. Throws NOT_FOUND if the caller did not report the case, CONFLICT if there is nothing to review or
 * it was requested already.
 */
export async function appealDismissal(
  ctx: Context,
  actor: Actor,
  id: string,
  message: string,
): Promise<ResponseInputOf<typeof appealReport>> {
  if (!(await exists(ctx.db, HAS_REPORTED, [id, actor.userId]))) throw new AppError('NOT_FOUND');
  const { email } = await requireUser(ctx.db, actor.userId);
  const from = { id: actor.userId, name: actor.username, email };
  const { reference } = await ctx.db.transaction(async (tx) => {
    // Concurrent requests wait here for the first.
    await lockCase(tx, id);
    const decision = await requireDismissal(ctx, tx, id);
    const existingAppeal = await tx.query
      .selectFrom('cases')
      .select(['id', 'reference', 'state'])
      .where('kind', '=', 'appeal')
      .where('decision_id', '=', decision.id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!existingAppeal) return openAppeal(ctx, tx, decision, { from, title: NOTHING_DONE, message });
    const isOwn = await exists(tx, HAS_WRITTEN, [existingAppeal.id, actor.userId]);
    if (!canJoinAppeal(existingAppeal.state, isOwn))
      throw new AppError('CONFLICT', {
        message: isOwn ? texts.reviewAlreadyRequested : texts.secondReviewFinalError,
      });
    await addMessageToAppeal(ctx, tx, existingAppeal, { byId: actor.userId, message });
    return existingAppeal;
  });
  return { success: true, reference, message: formatText(texts.differentReviewerConfirmation, { reference }) };
}
