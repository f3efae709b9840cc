/**
 * Cases written without an account are found by reference number and address. Guesses at the pair reveal nothing and
 * are rate limited.
 */

import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { getComplaintStatus, replyToComplaint } from '@stagedoor/contract/trust/support.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { countAttempt, releaseAttempt } from '../../identity/accounts/index.ts';
import {
  addEntry,
  type CaseRow,
  countMessage,
  listEntries,
  lockCase,
  reopenCase,
  toCaseRow,
} from '../moderation/index.ts';
import * as texts from './texts.ts';

type StatusCredentials = BodyOf<typeof getComplaintStatus>;
type StatusView = ResponseInputOf<typeof getComplaintStatus>;

/** A ticket is available to its account only. */
const TRACKABLE_KINDS = ['complaint', 'contact', 'appeal', 'copyright'];

/** Throws RATE_LIMITED after too many wrong pairs, NOT_FOUND whichever of the two is wrong. */
async function findCaseByCredentials(
  ctx: Context,
  { reference, email }: StatusCredentials,
  network: string,
): Promise<CaseRow> {
  const scaleLimit = (max: number) => Math.ceil(max * ctx.config.rateFactor);
  const guesses = [
    { subject: `case:${reference}`, max: scaleLimit(CASE_LIMITS.wrongPerReference) },
    { subject: `cases from:${network}`, max: scaleLimit(CASE_LIMITS.wrongPerNetwork) },
  ];
  for (const { subject, max } of guesses) await countAttempt(ctx, subject, max);
  const caseRow = await ctx.db.query
    .selectFrom('cases')
    .selectAll()
    .where('reference', '=', reference)
    .where('from_email', '=', email)
    .where('kind', 'in', TRACKABLE_KINDS)
    .executeTakeFirst();
  if (!caseRow) throw new AppError('NOT_FOUND', { message: texts.noMatchingCase });
  for (const { subject } of guesses) await releaseAttempt(ctx.db, subject);
  return toCaseRow(caseRow);
}

async function present(db: Executor, row: CaseRow): Promise<StatusView> {
  const replies = await listEntries(db, row.id, ['reply']);
  return {
    reference: row.reference,
    state: row.state,
    openedAt: row.opened_at.toISOString(),
    answerBy: row.due_at.toISOString(),
    closedAt: row.closed_at?.toISOString() ?? null,
    replies: replies.map(({ at, body }) => ({ at: at.toISOString(), text: body })),
  };
}

/** Throws as {@link findCaseByCredentials}. */
export async function getStatus(ctx: Context, credentials: StatusCredentials, network: string): Promise<StatusView> {
  return present(ctx.db, await findCaseByCredentials(ctx, credentials, network));
}

/** Adds a message and reopens the case. Throws as {@link findCaseByCredentials}, CONFLICT when it is closed. */
export async function addReply(
  ctx: Context,
  { message, ...credentials }: BodyOf<typeof replyToComplaint>,
  network: string,
): Promise<ResponseInputOf<typeof replyToComplaint>> {
  const caseRow = await findCaseByCredentials(ctx, credentials, network);
  await countMessage(ctx, { id: undefined, network });
  const row = await ctx.db.transaction(async (tx) => {
    const locked = await lockCase(tx, caseRow.id);
    if (!locked || locked.state === 'closed') throw new AppError('CONFLICT', { message: texts.caseClosedStartNew });
    const last = (await listEntries(tx, locked.id, ['message', 'reply'])).at(-1);
    // The same message twice in a row comes from a reloaded page.
    if (last?.kind === 'message' && last.body === message) return locked;
    // The pair proves no account, so no author is stored.
    await addEntry(ctx, tx, locked.id, { kind: 'message', byId: null, body: message });
    await reopenCase(ctx, tx, locked);
    return (await lockCase(tx, locked.id)) ?? locked;
  });
  return { success: true, message: texts.replyByEmailConfirmation, ...(await present(ctx.db, row)) };
}
