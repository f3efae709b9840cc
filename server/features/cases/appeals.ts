/**
 * Anyone can enter an address in the contact form, so an appeal without the proof from log-in neither uses up the
 * user's own appeal nor joins another.
 */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import {
  APPEAL_MONTHS,
  CASE_STATES,
  MEASURES,
  measureWords,
  SUBJECTS,
  type Told,
} from '@stagedoor/contract/case-kinds.ts';
import type { appeal, listDecisions } from '@stagedoor/contract/cases.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Transaction } from '../../kernel/db.ts';
import type { Actor } from '../../kernel/session.ts';
import { requireUser } from '../accounts/index.ts';
import { ownClaims } from './copyright/present.ts';
import { hangPictures } from './pictures.ts';
import {
  addEntry,
  type CaseRow,
  changeCase,
  type DecisionRow,
  findDecision,
  lockCase,
  numberOfDecision,
  openCase,
  readRow,
} from './store.ts';

const SHOWN = 50;

export function appealByOf(at: Date): Date {
  const by = new Date(at);
  by.setUTCMonth(by.getUTCMonth() + APPEAL_MONTHS);
  return by;
}

const subjectOf = (decision: DecisionRow) =>
  decision.subject === null ? null : z.parse(z.enum(SUBJECTS), decision.subject);
export const measureOf = ({ act }: Pick<DecisionRow, 'act'>) => z.parse(z.enum(MEASURES), act);

export function toldOf(decision: DecisionRow): Told {
  return {
    act: measureOf(decision),
    subject: subjectOf(decision),
    title: decision.title,
    until: decision.until?.toISOString() ?? null,
    ground: decision.ground,
  };
}

export const wordsOf = (decision: DecisionRow): string => measureWords(toldOf(decision));

function isAppealable(ctx: Pick<Context, 'clock'>, decision: DecisionRow): boolean {
  return isTaken(decision) && decision.undone_at === null && appealByOf(decision.at) > ctx.clock.now();
}
/** A measure affects a user. Other decisions only end a case. */
export const isTaken = ({ act }: Pick<DecisionRow, 'act'>) => MEASURES.some((one) => one === act);

/** Unproven appeals do not count. */
export async function appealOf(db: Executor, decisionIds: readonly string[]) {
  if (decisionIds.length === 0) return [];
  return db.query
    .selectFrom('cases')
    .select(['decision_id', 'reference', 'state', 'outcome'])
    .where('kind', '=', 'appeal')
    .where('decision_id', 'in', [...decisionIds])
    .where('is_unproven', '=', false)
    .execute();
}

async function findOpenAppeal(tx: Transaction, decisionId: string, isProven: boolean): Promise<CaseRow | undefined> {
  const row = await tx.query
    .selectFrom('cases')
    .selectAll()
    .where('kind', '=', 'appeal')
    .where('decision_id', '=', decisionId)
    .where('is_unproven', '=', !isProven)
    .where('state', '!=', 'closed')
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row && readRow(row);
}

/** Only users with a proven identity may attach pictures. */
export type Said = { message: string; pictures?: readonly string[] };

/** Throws NOT_FOUND for a picture that is not the user's or was already sent. */
export async function addLetter(
  ctx: Context,
  tx: Transaction,
  caseId: string,
  { byId, message, pictures = [] }: Said & { byId: string | null },
): Promise<void> {
  const entryId = await addEntry(ctx, tx, caseId, { kind: 'message', byId, body: message });
  if (byId !== null) await hangPictures(tx, byId, entryId, pictures);
  else if (pictures.length > 0) throw new AppError('NOT_FOUND');
}

export async function addToAppeal(
  ctx: Context,
  tx: Transaction,
  { id }: Pick<CaseRow, 'id'>,
  { byId, ...said }: Said & { byId: string | null },
): Promise<void> {
  await addLetter(ctx, tx, id, { byId, ...said });
  await changeCase(tx, id, { changed_at: ctx.clock.now() });
}

type From = { id: string | null; name: string; email: string };

/** `title` names the appealed decision. */
export async function openAppeal(
  ctx: Context,
  tx: Transaction,
  decision: DecisionRow,
  { from, title, ...said }: Said & { from: From; title: string },
): Promise<CaseRow> {
  const { row } = await openCase(ctx, tx, {
    kind: 'appeal',
    title: `Appeal: ${title}`.slice(0, 200),
    from,
    about: {
      subject: subjectOf(decision),
      subjectId: decision.subject_id,
      personId: decision.person_id,
      snapshot: [],
    },
    decisionId: decision.id,
  });
  await addLetter(ctx, tx, row.id, { byId: from.id, ...said });
  return row;
}

/**
 * Turns a message from a blocked user into an appeal against the latest suspension or block. A proven message joins the
 * user's open appeal. An unproven one never does, and returns undefined if an appeal exists, so that it is handled like
 * any other message.
 */
export async function appealOfBlocked(
  ctx: Context,
  tx: Transaction,
  personId: string,
  { from, ...said }: Said & { from: From },
): Promise<CaseRow | undefined> {
  const decision = await tx.query
    .selectFrom('case_decisions')
    .selectAll()
    .where('person_id', '=', personId)
    .where('act', 'in', ['suspend', 'block'])
    .where('undone_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!decision || !isAppealable(ctx, decision)) return undefined;
  // Concurrent appeals wait here for the first.
  await lockCase(tx, decision.case_id);
  const open = await findOpenAppeal(tx, decision.id, from.id !== null);
  if (open && from.id !== null) {
    await addToAppeal(ctx, tx, open, { byId: from.id, ...said });
    return open;
  }
  if (open || (await appealOf(tx, [decision.id])).length > 0) return undefined;
  return openAppeal(ctx, tx, decision, { from, title: wordsOf(decision), ...said });
}

type OwnAppeal = NonNullable<AnswerOf<typeof listDecisions>['data'][number]['appeal']>;
export function presentAppeal({
  reference,
  state,
  outcome,
}: Pick<CaseRow, 'reference' | 'outcome'> & { state: string }): OwnAppeal {
  return {
    reference,
    state: z.parse(z.enum(CASE_STATES), state),
    outcome: outcome === 'uphold' || outcome === 'overturn' ? outcome : null,
  };
}

/** Appeals a decision about the caller. Throws NOT_FOUND, CONFLICT. */
export async function appealAgainst(
  ctx: Context,
  actor: Actor,
  decisionId: string,
  message: string,
): Promise<AnswerOf<typeof appeal>> {
  const unsafe = await findDecision(ctx.db, decisionId);
  if (!unsafe || unsafe.person_id !== actor.userId || !isTaken(unsafe)) throw new AppError('NOT_FOUND');
  if (!isAppealable(ctx, unsafe)) throw new AppError('CONFLICT', { message: 'This can no longer be appealed.' });
  const { email } = await requireUser(ctx.db, actor.userId);
  const from = { id: actor.userId, name: actor.username, email };
  const { reference } = await ctx.db.transaction(async (tx) => {
    await lockCase(tx, unsafe.case_id);
    if ((await appealOf(tx, [decisionId])).length > 0)
      throw new AppError('CONFLICT', { message: 'You’ve already appealed this.' });
    return openAppeal(ctx, tx, unsafe, { from, title: wordsOf(unsafe), message });
  });
  return { success: true, reference, message: `A different person will review it. Reference: ${reference}.` };
}

export async function ownDecisions(ctx: Context, actor: Actor): Promise<AnswerOf<typeof listDecisions>> {
  const rows = await ctx.db.query
    .selectFrom('case_decisions as d')
    .selectAll('d')
    .where('d.person_id', '=', actor.userId)
    .where('d.act', 'in', [...MEASURES])
    .orderBy('d.id', 'desc')
    .limit(SHOWN)
    .execute();
  const appeals = await appealOf(
    ctx.db,
    rows.map(({ id }) => id),
  );
  const claimOf = await ownClaims(ctx.db, rows);
  return {
    data: rows.map((row) => {
      const made = appeals.find(({ decision_id: id }) => id === row.id);
      return {
        id: row.id,
        reference: numberOfDecision(row.id),
        act: measureOf(row),
        at: row.at.toISOString(),
        words: wordsOf(row),
        ground: row.ground,
        until: row.until?.toISOString() ?? null,
        undoneAt: row.undone_at?.toISOString() ?? null,
        appealBy: !made && isAppealable(ctx, row) ? appealByOf(row.at).toISOString() : null,
        appeal: made ? presentAppeal(made) : null,
        ...claimOf(row),
      };
    }),
  };
}
