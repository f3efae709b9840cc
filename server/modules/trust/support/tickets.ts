/** A ticket is visible to its author only (row J3). */

import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { BodyOf, QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type {
  closeTicket,
  createTicket,
  getTicket,
  listTickets,
  replyToTicket,
} from '@stagedoor/contract/trust/support.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { claimIdempotencyKey } from '../../../platform/database/idempotency.ts';
import { parseIdOffset, toCursor } from '../../../platform/database/pagination.ts';
import { createId } from '../../../platform/ids.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { requireUser } from '../../identity/accounts/index.ts';
import { refusePendingApproval } from '../../identity/approvals/index.ts';
import { hashRequest } from '../../ledger/ledger/index.ts';
import {
  addEntry,
  attachPictures,
  type CaseRow,
  countTicketMessage,
  findCase,
  listEntries,
  loadPictures,
  lockCase,
  NO_SUBJECT,
  openCase,
  reopenCase,
  updateCase,
} from '../moderation/index.ts';
import * as texts from './texts.ts';

type TicketView = ResponseInputOf<typeof getTicket>;

/** Throws NOT_FOUND unless the caller wrote it. */
function requireOwnTicket(actor: Actor, unsafe: CaseRow | undefined): CaseRow {
  if (unsafe?.kind !== 'ticket' || unsafe.from_id !== actor.userId) throw new AppError('NOT_FOUND');
  return unsafe;
}

function presentSummary(row: CaseRow) {
  return {
    id: row.id,
    reference: row.reference,
    subject: row.title,
    state: row.state,
    openedAt: row.opened_at.toISOString(),
    changedAt: row.changed_at.toISOString(),
    answerBy: row.state === 'open' ? row.due_at.toISOString() : null,
  };
}

async function present(db: Executor, row: CaseRow): Promise<TicketView> {
  const entries = await listEntries(db, row.id, ['message', 'reply']);
  const pictures = await loadPictures(
    db,
    entries.map(({ id }) => id),
  );
  return {
    ...presentSummary(row),
    entries: entries.map(({ id, at, kind, body }) => ({
      id,
      at: at.toISOString(),
      isFromSupport: kind === 'reply',
      text: body,
      pictures: pictures.get(id) ?? [],
    })),
  };
}

/** Returns one of the caller's tickets. Throws NOT_FOUND. */
export async function getTicketView(ctx: Context, actor: Actor, id: string): Promise<TicketView> {
  return present(ctx.db, requireOwnTicket(actor, await findCase(ctx.db, id)));
}

const LIST: SqlStatement = {
  name: 'support-own-tickets',
  text: `select id from cases where from_id = $1 and kind = 'ticket' and id < $2::uuid order by id desc limit $3 offset $4`,
};

export async function getTicketPage(
  ctx: Context,
  actor: Actor,
  { limit, offset }: QueryOf<typeof listTickets>,
): Promise<ResponseInputOf<typeof listTickets>> {
  const { skip, before } = parseIdOffset(offset);
  const ids = await ctx.db.run<{ id: string }>(LIST, [actor.userId, before, limit + 1, skip]);
  const page = ids.slice(0, limit);
  const rows = await Promise.all(page.map(({ id }) => findCase(ctx.db, id)));
  const last = page.at(-1);
  return {
    data: rows.flatMap((row) => (row ? [presentSummary(row)] : [])),
    ...(ids.length > limit && last ? { nextOffset: toCursor(last.id) } : {}),
  };
}

/** Opens a ticket. Idempotent by operation id. Throws NOT_FOUND (a picture), CONFLICT, RATE_LIMITED. */
export async function submitTicket(
  ctx: Context,
  actor: Actor,
  { subject, message, pictures }: BodyOf<typeof createTicket>,
  operationId: string,
): Promise<ResponseInputOf<typeof createTicket>> {
  await countTicketMessage(ctx, actor.userId);
  const { name, email } = await requireUser(ctx.db, actor.userId);
  const caseId = createId(ctx.clock);
  const id = await ctx.db.transaction(async (tx) => {
    const requestHash = hashRequest({ call: 'createTicket', subject, message, pictures });
    const repeatedId = await claimIdempotencyKey(tx, {
      actorId: actor.userId,
      operationId,
      requestHash,
      subjectId: caseId,
    });
    if (repeatedId) return repeatedId;
    const from = { id: actor.userId, name, email };
    const newCase = { id: caseId, kind: 'ticket', title: subject, from, about: NO_SUBJECT } as const;
    const { row } = await openCase(ctx, tx, newCase);
    const entryId = await addEntry(ctx, tx, row.id, { kind: 'message', byId: actor.userId, body: message });
    await attachPictures(tx, actor.userId, entryId, pictures);
    return row.id;
  });
  return getTicketView(ctx, actor, id);
}

async function lockOwnTicket(tx: DbTransaction, actor: Actor, id: string): Promise<CaseRow> {
  return requireOwnTicket(actor, await lockCase(tx, id));
}

/** Adds a message and reopens the ticket. Throws NOT_FOUND, RATE_LIMITED. */
export async function addTicketMessage(
  ctx: Context,
  actor: Actor,
  id: string,
  { message, pictures }: BodyOf<typeof replyToTicket>,
): Promise<ResponseInputOf<typeof replyToTicket>> {
  await countTicketMessage(ctx, actor.userId);
  await ctx.db.transaction(async (tx) => {
    const row = await lockOwnTicket(tx, actor, id);
    const entryId = await addEntry(ctx, tx, id, { kind: 'message', byId: actor.userId, body: message });
    await attachPictures(tx, actor.userId, entryId, pictures);
    await reopenCase(ctx, tx, row);
  });
  return getTicketView(ctx, actor, id);
}

/** Closes a ticket for its author. Throws NOT_FOUND. */
export async function closeOwnTicket(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ResponseInputOf<typeof closeTicket>> {
  await ctx.db.transaction(async (tx) => {
    const row = await lockOwnTicket(tx, actor, id);
    if (row.state === 'closed') return;
    const now = ctx.clock.now();
    await updateCase(tx, id, {
      state: 'closed',
      closed_at: now,
      changed_at: now,
      outcome: 'settled',
      assigned_to: null,
    });
    await refusePendingApproval(ctx, tx, {
      kind: 'refund',
      subjectId: id,
      by: actor.userId,
      reason: texts.userClosedTicketReason,
    });
  });
  return getTicketView(ctx, actor, id);
}
