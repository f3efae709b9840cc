/**
 * Anyone can enter an address in the contact form, so an appeal without the proof from log-in neither uses up the
 * user's own appeal nor joins another.
 */

import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import {
  APPEAL_MONTHS,
  CASE_STATES,
  formatMeasure,
  MEASURES,
  type MeasureNotice,
  REPORT_SUBJECTS,
} from '@stagedoor/contract/trust/case-kinds.ts';
import type { appealDecision, listOwnDecisions } from '@stagedoor/contract/trust/moderation.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { requireUser } from '../../identity/accounts/index.ts';
import { getCopyrightHook } from './copyright-hook.ts';
import { attachPictures } from './pictures.ts';
import {
  addEntry,
  type CaseDecisionRow,
  type CaseRow,
  findDecision,
  lockCase,
  openCase,
  toCaseRow,
  toDecisionNumber,
  updateCase,
} from './store.ts';
import * as texts from './texts.ts';

const MAX_SHOWN = 50;

export function getAppealDeadline(at: Date): Date {
  const deadline = new Date(at);
  deadline.setUTCMonth(deadline.getUTCMonth() + APPEAL_MONTHS);
  return deadline;
}

const parseSubject = (decision: CaseDecisionRow) =>
  decision.subject === null ? null : z.parse(z.enum(REPORT_SUBJECTS), decision.subject);
export const parseMeasure = ({ action }: Pick<CaseDecisionRow, 'action'>) => z.parse(z.enum(MEASURES), action);

export function toMeasureNotice(decision: CaseDecisionRow): MeasureNotice {
  return {
    action: parseMeasure(decision),
    subject: parseSubject(decision),
    title: decision.title,
    until: decision.until?.toISOString() ?? null,
    reason: decision.reason,
  };
}

export const formatDecision = (decision: CaseDecisionRow): string => formatMeasure(toMeasureNotice(decision));

function isAppealable(ctx: Pick<Context, 'clock'>, decision: CaseDecisionRow): boolean {
  return isMeasureDecision(decision) && decision.undone_at === null && getAppealDeadline(decision.at) > ctx.clock.now();
}
/** A measure affects a user. Other decisions only end a case. */
export const isMeasureDecision = ({ action }: Pick<CaseDecisionRow, 'action'>) =>
  MEASURES.some((one) => one === action);

/** Unproven appeals do not count. */
export async function listAppeals(db: Executor, decisionIds: readonly string[]) {
  if (decisionIds.length === 0) return [];
  return db.query
    .selectFrom('cases')
    .select(['decision_id', 'reference', 'state', 'outcome'])
    .where('kind', '=', 'appeal')
    .where('decision_id', 'in', [...decisionIds])
    .where('is_sender_unverified', '=', false)
    .execute();
}

async function findOpenAppeal(
  tx: DbTransaction,
  decisionId: string,
  isVerified: boolean,
): Promise<CaseRow | undefined> {
  const row = await tx.query
    .selectFrom('cases')
    .selectAll()
    .where('kind', '=', 'appeal')
    .where('decision_id', '=', decisionId)
    .where('is_sender_unverified', '=', !isVerified)
    .where('state', '!=', 'closed')
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row && toCaseRow(row);
}

/** Only users with a proven identity may attach pictures. */
export type CaseMessageInput = { message: string; pictures?: readonly string[] };

/** Throws NOT_FOUND for a picture that is not the user's or was already sent. */
export async function addMessage(
  ctx: Context,
  tx: DbTransaction,
  caseId: string,
  { byId, message, pictures = [] }: CaseMessageInput & { byId: string | null },
): Promise<void> {
  const entryId = await addEntry(ctx, tx, caseId, { kind: 'message', byId, body: message });
  if (byId !== null) await attachPictures(tx, byId, entryId, pictures);
  else if (pictures.length > 0) throw new AppError('NOT_FOUND');
}

export async function addMessageToAppeal(
  ctx: Context,
  tx: DbTransaction,
  { id }: Pick<CaseRow, 'id'>,
  { byId, ...messageInput }: CaseMessageInput & { byId: string | null },
): Promise<void> {
  await addMessage(ctx, tx, id, { byId, ...messageInput });
  await updateCase(tx, id, { changed_at: ctx.clock.now() });
}

type CaseSender = { id: string | null; name: string; email: string };

/** `title` names the appealed decision. */
export async function openAppeal(
  ctx: Context,
  tx: DbTransaction,
  decision: CaseDecisionRow,
  { from, title, ...messageInput }: CaseMessageInput & { from: CaseSender; title: string },
): Promise<CaseRow> {
  const { row } = await openCase(ctx, tx, {
    kind: 'appeal',
    title: formatText(texts.appealTitle, { title }).slice(0, 200),
    from,
    about: {
      subject: parseSubject(decision),
      subjectId: decision.subject_id,
      userId: decision.user_id,
      snapshot: [],
    },
    decisionId: decision.id,
  });
  await addMessage(ctx, tx, row.id, { byId: from.id, ...messageInput });
  return row;
}

/**
 * Turns a message from a blocked user into an appeal against the latest suspension or block. A proven message joins the
 * user's open appeal. An unproven one never does, and returns undefined if an appeal exists, so that it is handled like
 * any other message.
 */
export async function appealBlock(
  ctx: Context,
  tx: DbTransaction,
  userId: string,
  { from, ...messageInput }: CaseMessageInput & { from: CaseSender },
): Promise<CaseRow | undefined> {
  const decision = await tx.query
    .selectFrom('case_decisions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('action', 'in', ['suspend', 'block'])
    .where('undone_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!decision || !isAppealable(ctx, decision)) return undefined;
  // Concurrent appeals wait here for the first.
  await lockCase(tx, decision.case_id);
  const open = await findOpenAppeal(tx, decision.id, from.id !== null);
  if (open && from.id !== null) {
    await addMessageToAppeal(ctx, tx, open, { byId: from.id, ...messageInput });
    return open;
  }
  if (open || (await listAppeals(tx, [decision.id])).length > 0) return undefined;
  return openAppeal(ctx, tx, decision, { from, title: formatDecision(decision), ...messageInput });
}

type AppealSummary = NonNullable<ResponseInputOf<typeof listOwnDecisions>['data'][number]['appeal']>;
export function presentAppeal({
  reference,
  state,
  outcome,
}: Pick<CaseRow, 'reference' | 'outcome'> & { state: string }): AppealSummary {
  return {
    reference,
    state: z.parse(z.enum(CASE_STATES), state),
    outcome: outcome === 'uphold' || outcome === 'overturn' ? outcome : null,
  };
}

/** Appeals a decision about the caller. Throws NOT_FOUND, CONFLICT. */
export async function createAppeal(
  ctx: Context,
  actor: Actor,
  decisionId: string,
  message: string,
): Promise<ResponseInputOf<typeof appealDecision>> {
  const unsafe = await findDecision(ctx.db, decisionId);
  if (!unsafe || unsafe.user_id !== actor.userId || !isMeasureDecision(unsafe)) throw new AppError('NOT_FOUND');
  if (!isAppealable(ctx, unsafe)) throw new AppError('CONFLICT', { message: texts.appealUnavailable });
  const { email } = await requireUser(ctx.db, actor.userId);
  const from = { id: actor.userId, name: actor.username, email };
  const { reference } = await ctx.db.transaction(async (tx) => {
    await lockCase(tx, unsafe.case_id);
    if ((await listAppeals(tx, [decisionId])).length > 0)
      throw new AppError('CONFLICT', { message: texts.alreadyAppealed });
    return openAppeal(ctx, tx, unsafe, { from, title: formatDecision(unsafe), message });
  });
  return { success: true, reference, message: formatText(texts.differentReviewerConfirmation, { reference }) };
}

export async function getOwnDecisions(ctx: Context, actor: Actor): Promise<ResponseInputOf<typeof listOwnDecisions>> {
  const rows = await ctx.db.query
    .selectFrom('case_decisions as d')
    .selectAll('d')
    .where('d.user_id', '=', actor.userId)
    .where('d.action', 'in', [...MEASURES])
    .orderBy('d.id', 'desc')
    .limit(MAX_SHOWN)
    .execute();
  const appeals = await listAppeals(
    ctx.db,
    rows.map(({ id }) => id),
  );
  const getClaimView = await getCopyrightHook(ctx).createClaimLookup(ctx.db, rows);
  return {
    data: rows.map((row) => {
      const existingAppeal = appeals.find(({ decision_id: id }) => id === row.id);
      return {
        id: row.id,
        reference: toDecisionNumber(row.id),
        action: parseMeasure(row),
        at: row.at.toISOString(),
        message: formatDecision(row),
        reason: row.reason,
        until: row.until?.toISOString() ?? null,
        undoneAt: row.undone_at?.toISOString() ?? null,
        appealBy: !existingAppeal && isAppealable(ctx, row) ? getAppealDeadline(row.at).toISOString() : null,
        appeal: existingAppeal ? presentAppeal(existingAppeal) : null,
        ...getClaimView(row),
      };
    }),
  };
}
