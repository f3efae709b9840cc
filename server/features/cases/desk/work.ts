import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { CASES } from '@stagedoor/contract/atoms/room-limits.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import type { passCase, readCase, replyCase } from '@stagedoor/contract/cases-desk.ts';
import type { listAnswers, saveAnswer } from '@stagedoor/contract/saved-answers.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Executor, Transaction } from '../../../kernel/db.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Actor } from '../../../kernel/session.ts';
import { type Act, noteAct } from '../../audit/index.ts';
import { endMoneyAct } from '../../operators/index.ts';
import { obstacleFor, requireReads } from '../access.ts';
import { KINDS } from '../kinds.ts';
import { addEntry, type CaseRow, changeCase, lockCase } from '../store.ts';
import { purchasesOf } from './refunds.ts';
import { answer } from './telling.ts';
import { involvedIn, viewCase } from './view.ts';

type View = AnswerOf<typeof readCase>;

/** Throws NOT_FOUND, and what `work` throws. */
async function workOn(
  ctx: Context,
  actor: Actor,
  id: string,
  act: string,
  work: (tx: Transaction, row: CaseRow) => Promise<Act['facts']>,
): Promise<View> {
  await ctx.db.transaction(async (tx) => {
    const row = await lockCase(tx, id);
    if (!row) throw new AppError('NOT_FOUND');
    await requireReads(tx, actor, row);
    const facts = { reference: row.reference, ...(await work(tx, row)) };
    await noteAct(ctx, tx, { operatorId: actor.userId, act, subjectKind: 'case', subjectId: id, facts });
  });
  return viewCase(ctx, actor, id);
}

/** Assigns a case to the caller, or unassigns it. Throws NOT_FOUND, CONFLICT when it is closed. */
export function assign(ctx: Context, actor: Actor, id: string, isMine: boolean): Promise<View> {
  return workOn(ctx, actor, id, isMine ? 'case.assign' : 'case.layBack', async (tx, row) => {
    if (row.state === 'closed') throw new AppError('CONFLICT', { message: 'This case is already closed.' });
    await changeCase(tx, id, { assigned_to: isMine ? actor.userId : null });
    const body = isMine ? 'Assigned' : 'Unassigned';
    await addEntry(ctx, tx, id, { kind: 'assigned', byId: actor.userId, body });
    return { before: row.assigned_to };
  });
}

/** Routes a case to the refund queue, or back. Throws NOT_FOUND, CONFLICT. */
export async function pass(
  ctx: Context,
  actor: Pick<Actor, 'userId' | 'roles'>,
  id: string,
  { isForRefund, text }: BodyOf<typeof passCase>,
): Promise<AnswerOf<typeof passCase>> {
  return ctx.db.transaction(async (tx) => {
    const row = await lockCase(tx, id);
    if (!row) throw new AppError('NOT_FOUND');
    await requireReads(tx, actor, row);
    const own = KINDS[row.kind];
    const queue = isForRefund ? 'refunds' : own.queue;
    if (row.state === 'closed') throw new AppError('CONFLICT', { message: 'This case is already closed.' });
    if (row.queue === queue) throw new AppError('CONFLICT', { message: 'This case is already in that queue.' });
    if (isForRefund && !(await purchasesOf(tx, row)).purchases.some(({ canGiveBack }) => canGiveBack))
      throw new AppError('CONFLICT', { message: 'There are no purchases left to refund.' });
    const at = ctx.clock.now();
    await changeCase(tx, id, { queue, state: 'open', assigned_to: null, changed_at: at });
    const body = `${isForRefund ? 'Sent to finance' : 'Returned to its queue'}: ${text}`;
    await addEntry(ctx, tx, id, { kind: 'assigned', byId: actor.userId, body });
    const facts = { reference: row.reference, queue, ground: text };
    await noteAct(ctx, tx, { operatorId: actor.userId, act: 'case.pass', subjectKind: 'case', subjectId: id, facts });
    return { reference: row.reference, queue };
  });
}

export function note(ctx: Context, actor: Actor, id: string, text: string): Promise<View> {
  return workOn(ctx, actor, id, 'case.note', async (tx) => {
    await addEntry(ctx, tx, id, { kind: 'note', byId: actor.userId, body: text });
    return {};
  });
}

/** Replies to the writer. Throws NOT_FOUND, FORBIDDEN, CONFLICT if the case is closed or is answered in another way. */
export function reply(
  ctx: Context,
  actor: Actor,
  id: string,
  { text, isClosing }: BodyOf<typeof replyCase>,
): Promise<View> {
  return workOn(ctx, actor, id, 'case.reply', async (tx, row) => {
    if (!KINDS[row.kind].hasReplies)
      throw new AppError('CONFLICT', { message: 'This kind of case has no replies. Decide it instead.' });
    const obstacle = obstacleFor(actor, await involvedIn(tx, row));
    if (obstacle !== undefined) throw new AppError('FORBIDDEN', { message: obstacle });
    if (row.state === 'closed') throw new AppError('CONFLICT', { message: 'Someone else already closed this.' });
    const at = ctx.clock.now();
    await answer(ctx, tx, row, text, actor.userId);
    await changeCase(tx, id, {
      changed_at: at,
      ...(isClosing ? { state: 'closed', closed_at: at, outcome: 'close' } : { state: 'waiting' }),
    });
    if (isClosing) await endMoneyAct(ctx, tx, { kind: 'refund', subjectId: id, by: actor.userId, ground: text });
    return { isClosing };
  });
}

export async function answers({ db }: { db: Executor }): Promise<AnswerOf<typeof listAnswers>> {
  const rows = await db.query.selectFrom('saved_answers').selectAll().orderBy('title').execute();
  return { data: rows.map(({ id, title, body }) => ({ id, title, text: body })) };
}

/** Saves a reply, which replaces one with the same title. Throws CONFLICT when there are too many. */
export async function keepAnswer(
  ctx: Context,
  actor: Actor,
  { title, text }: BodyOf<typeof saveAnswer>,
): Promise<AnswerOf<typeof saveAnswer>> {
  const row = { title, body: text, at: ctx.clock.now() };
  return ctx.db.transaction(async (tx) => {
    const { data } = await answers({ db: tx });
    if (data.length >= CASES.savedAnswers && data.every((one) => one.title !== title))
      throw new AppError('CONFLICT', { message: `You can save up to ${CASES.savedAnswers} templates.` });
    const { id } = await tx.query
      .insertInto('saved_answers')
      .values({ id: newId(ctx.clock), ...row })
      .onConflict((conflict) => conflict.column('title').doUpdateSet(row))
      .returning('id')
      .executeTakeFirstOrThrow();
    await noteAct(ctx, tx, {
      operatorId: actor.userId,
      act: 'answer.save',
      subjectKind: 'answer',
      subjectId: id,
      facts: { title },
    });
    return { id, title, text };
  });
}

/** Throws NOT_FOUND. */
export async function letGoOfAnswer(ctx: Context, actor: Actor, id: string): Promise<{ success: true }> {
  await ctx.db.transaction(async (tx) => {
    const gone = await tx.query.deleteFrom('saved_answers').where('id', '=', id).returning('title').executeTakeFirst();
    if (!gone) throw new AppError('NOT_FOUND');
    const facts = { title: gone.title };
    await noteAct(ctx, tx, {
      operatorId: actor.userId,
      act: 'answer.drop',
      subjectKind: 'answer',
      subjectId: id,
      facts,
    });
  });
  return { success: true };
}
