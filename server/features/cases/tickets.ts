/** A ticket is visible to its author only (row J3). */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { CASES } from '@stagedoor/contract/atoms/room-limits.ts';
import type { AnswerOf, BodyOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import type { closeTicket, listTickets, openTicket, readTicket, writeTicket } from '@stagedoor/contract/cases.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement, Transaction } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { cursorOf, readIdOffset } from '../../kernel/offset.ts';
import { claimOperation } from '../../kernel/operations.ts';
import type { Actor } from '../../kernel/session.ts';
import { requireUser } from '../accounts/index.ts';
import { hashRequest } from '../ledger/index.ts';
import { endMoneyAct } from '../operators/index.ts';
import { countWriting, DAY_MS } from './flood.ts';
import { hangPictures, picturesOf } from './pictures.ts';
import {
  ABOUT_NOTHING,
  addEntry,
  type CaseRow,
  changeCase,
  entriesOf,
  findCase,
  lockCase,
  openCase,
  reopen,
} from './store.ts';

type Ticket = AnswerOf<typeof readTicket>;

/** Throws NOT_FOUND unless the caller wrote it. */
function requireOwn(actor: Actor, unsafe: CaseRow | undefined): CaseRow {
  if (unsafe?.kind !== 'ticket' || unsafe.from_id !== actor.userId) throw new AppError('NOT_FOUND');
  return unsafe;
}

function presentFacts(row: CaseRow) {
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

async function present(db: Executor, row: CaseRow): Promise<Ticket> {
  const entries = await entriesOf(db, row.id, ['message', 'reply']);
  const pictures = await picturesOf(
    db,
    entries.map(({ id }) => id),
  );
  return {
    ...presentFacts(row),
    entries: entries.map(({ id, at, kind, body }) => ({
      id,
      at: at.toISOString(),
      isOurs: kind === 'reply',
      text: body,
      pictures: pictures.get(id) ?? [],
    })),
  };
}

/** Returns one of the caller's tickets. Throws NOT_FOUND. */
export async function viewTicket(ctx: Context, actor: Actor, id: string): Promise<Ticket> {
  return present(ctx.db, requireOwn(actor, await findCase(ctx.db, id)));
}

const LIST: Statement = {
  name: 'cases-own-tickets',
  text: `select id from cases where from_id = $1 and kind = 'ticket' and id < $2::uuid order by id desc limit $3 offset $4`,
};

export async function viewTickets(
  ctx: Context,
  actor: Actor,
  { limit, offset }: QueryOf<typeof listTickets>,
): Promise<AnswerOf<typeof listTickets>> {
  const { skip, before } = readIdOffset(offset);
  const ids = await ctx.db.run<{ id: string }>(LIST, [actor.userId, before, limit + 1, skip]);
  const shown = ids.slice(0, limit);
  const rows = await Promise.all(shown.map(({ id }) => findCase(ctx.db, id)));
  const last = shown.at(-1);
  return {
    data: rows.flatMap((row) => (row ? [presentFacts(row)] : [])),
    ...(ids.length > limit && last ? { nextOffset: cursorOf(last.id) } : {}),
  };
}

const countOne = (ctx: Context, actor: Actor) =>
  countWriting(ctx, 'ticket', actor.userId, { max: CASES.ticketsADay, windowMs: DAY_MS });

/** Opens a ticket. Idempotent by operation id. Throws NOT_FOUND (a picture), CONFLICT, RATE_LIMITED. */
export async function askHelp(
  ctx: Context,
  actor: Actor,
  { subject, message, pictures }: BodyOf<typeof openTicket>,
  operationId: string,
): Promise<AnswerOf<typeof openTicket>> {
  await countOne(ctx, actor);
  const { name, email } = await requireUser(ctx.db, actor.userId);
  const caseId = newId(ctx.clock);
  const id = await ctx.db.transaction(async (tx) => {
    const requestHash = hashRequest({ call: 'openTicket', subject, message, pictures });
    const known = await claimOperation(tx, { actorId: actor.userId, operationId, requestHash, subjectId: caseId });
    if (known) return known;
    const from = { id: actor.userId, name, email };
    const wish = { id: caseId, kind: 'ticket', title: subject, from, about: ABOUT_NOTHING } as const;
    const { row } = await openCase(ctx, tx, wish);
    const entryId = await addEntry(ctx, tx, row.id, { kind: 'message', byId: actor.userId, body: message });
    await hangPictures(tx, actor.userId, entryId, pictures);
    return row.id;
  });
  return viewTicket(ctx, actor, id);
}

async function lockOwn(tx: Transaction, actor: Actor, id: string): Promise<CaseRow> {
  return requireOwn(actor, await lockCase(tx, id));
}

/** Adds a message and reopens the ticket. Throws NOT_FOUND, RATE_LIMITED. */
export async function goOn(
  ctx: Context,
  actor: Actor,
  id: string,
  { message, pictures }: BodyOf<typeof writeTicket>,
): Promise<AnswerOf<typeof writeTicket>> {
  await countOne(ctx, actor);
  await ctx.db.transaction(async (tx) => {
    const row = await lockOwn(tx, actor, id);
    const entryId = await addEntry(ctx, tx, id, { kind: 'message', byId: actor.userId, body: message });
    await hangPictures(tx, actor.userId, entryId, pictures);
    await reopen(ctx, tx, row);
  });
  return viewTicket(ctx, actor, id);
}

/** Closes a ticket for its author. Throws NOT_FOUND. */
export async function settle(ctx: Context, actor: Actor, id: string): Promise<AnswerOf<typeof closeTicket>> {
  await ctx.db.transaction(async (tx) => {
    const row = await lockOwn(tx, actor, id);
    if (row.state === 'closed') return;
    const now = ctx.clock.now();
    await changeCase(tx, id, {
      state: 'closed',
      closed_at: now,
      changed_at: now,
      outcome: 'settled',
      assigned_to: null,
    });
    await endMoneyAct(ctx, tx, { kind: 'refund', subjectId: id, by: actor.userId, ground: 'Settled by who wrote it.' });
  });
  return viewTicket(ctx, actor, id);
}
