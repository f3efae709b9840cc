/**
 * Appeals: against a decision that stands, once, within six months; by who it was done to, in their help desk or, blocked, by writing
 * to us with the proof from their log-in. Anybody may name an address: what comes from it unproven may be heard as an appeal, uses
 * nobody's up, and joins none.
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

/** Until when a decision can be appealed. */
export function appealByOf(at: Date): Date {
  const by = new Date(at);
  by.setUTCMonth(by.getUTCMonth() + APPEAL_MONTHS);
  return by;
}

const subjectOf = (decision: DecisionRow) =>
  decision.subject === null ? null : z.parse(z.enum(SUBJECTS), decision.subject);
export const measureOf = ({ act }: Pick<DecisionRow, 'act'>) => z.parse(z.enum(MEASURES), act);

/** What is told of a decision. */
export function toldOf(decision: DecisionRow): Told {
  return {
    act: measureOf(decision),
    subject: subjectOf(decision),
    title: decision.title,
    until: decision.until?.toISOString() ?? null,
    ground: decision.ground,
  };
}

/** What was done, in a sentence to its person. */
export const wordsOf = (decision: DecisionRow): string => measureWords(toldOf(decision));

function isAppealable(ctx: Pick<Context, 'clock'>, decision: DecisionRow): boolean {
  return isTaken(decision) && decision.undone_at === null && appealByOf(decision.at) > ctx.clock.now();
}
/** Whether it was done to somebody, and not only said of a case. */
export const isTaken = ({ act }: Pick<DecisionRow, 'act'>) => MEASURES.some((one) => one === act);

/** The appeals of those whom it was done to, which count. */
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

/** The open appeal against a decision, of its person or from an address that nobody proved. */
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

/** What somebody writes to us, and the pictures that they send along: of who they prove to be alone. */
export type Said = { message: string; pictures?: readonly string[] };

/** Adds that to a case. Throws NOT_FOUND for a picture that is not theirs, or was sent already. */
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

/** Adds what is said to an appeal that is open. */
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

/** Opens the case of an appeal. `title`: what it is against. */
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
 * The appeal that a letter of somebody who is blocked makes: against the latest suspension or block. Their own is added to while it is
 * open. From an address that nobody proved it joins nothing, and is no appeal where there is one already: nothing then, and it is a letter
 * like any other.
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
  // Who appeals twice at once waits here for the first.
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
/** An appeal as who made it sees it. */
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

/** Appeals against a decision about oneself. Throws NOT_FOUND, CONFLICT. */
export async function appealAgainst(
  ctx: Context,
  actor: Actor,
  decisionId: string,
  message: string,
): Promise<AnswerOf<typeof appeal>> {
  const unsafe = await findDecision(ctx.db, decisionId);
  if (!unsafe || unsafe.person_id !== actor.userId || !isTaken(unsafe)) throw new AppError('NOT_FOUND');
  if (!isAppealable(ctx, unsafe))
    throw new AppError('CONFLICT', { message: 'This can be appealed no more: it was taken back, or is too long ago.' });
  const { email } = await requireUser(ctx.db, actor.userId);
  const from = { id: actor.userId, name: actor.username, email };
  const { reference } = await ctx.db.transaction(async (tx) => {
    await lockCase(tx, unsafe.case_id);
    if ((await appealOf(tx, [decisionId])).length > 0)
      throw new AppError('CONFLICT', { message: 'This was appealed already.' });
    return openAppeal(ctx, tx, unsafe, { from, title: wordsOf(unsafe), message });
  });
  return { success: true, reference, message: `Somebody else looks at it. Its number is ${reference}.` };
}

/** What was decided about the actor, the newest first. */
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
