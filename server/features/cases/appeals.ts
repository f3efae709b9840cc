/**
 * Appeals: against a decision that stands, once, within six months; by who it was done to, in their help desk or, blocked, by writing
 * to us. Anybody may name an address: what comes from it unproven is heard as an appeal, and uses nobody's up.
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
import { addEntry, type CaseRow, changeCase, type DecisionRow, findDecision, openCase, readRow } from './store.ts';

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
async function appealOf(db: Executor, decisionIds: readonly string[]) {
  if (decisionIds.length === 0) return [];
  return db.query
    .selectFrom('cases')
    .select(['decision_id', 'reference', 'state', 'outcome'])
    .where('kind', '=', 'appeal')
    .where('decision_id', 'in', [...decisionIds])
    .where('is_unproven', '=', false)
    .execute();
}

/** What keeps somebody out, if it can be appealed and was not yet, or is being: the latest suspension or block. */
export async function accessAppealable(
  ctx: Pick<Context, 'clock'>,
  tx: Transaction,
  personId: string,
): Promise<DecisionRow | undefined> {
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
  const isOpen = (await findOpen(tx, decision.id)) !== undefined;
  return isOpen || (await appealOf(tx, [decision.id])).length === 0 ? decision : undefined;
}

/** The open appeal against a decision, whoever opened it. */
async function findOpen(tx: Transaction, decisionId: string): Promise<CaseRow | undefined> {
  const row = await tx.query
    .selectFrom('cases')
    .selectAll()
    .where('kind', '=', 'appeal')
    .where('decision_id', '=', decisionId)
    .where('state', '!=', 'closed')
    .orderBy('is_unproven')
    .limit(1)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row && readRow(row);
}

/**
 * Opens the case of an appeal. From an address that nobody proved, what is said is added to one that is open. Throws CONFLICT when there
 * was one.
 */
export async function openAppeal(
  ctx: Context,
  tx: Transaction,
  decision: DecisionRow,
  { from, message }: { from: { id: string | null; name: string; email: string }; message: string },
): Promise<CaseRow> {
  // Who appeals twice at once waits here for the first.
  await tx.query.selectFrom('cases').select('id').where('id', '=', decision.case_id).forNoKeyUpdate().execute();
  const known = from.id === null ? await findOpen(tx, decision.id) : undefined;
  if (known) {
    await addEntry(ctx, tx, known.id, { kind: 'message', byId: null, body: message });
    await changeCase(tx, known.id, { changed_at: ctx.clock.now() });
    return known;
  }
  if ((await appealOf(tx, [decision.id])).length > 0)
    throw new AppError('CONFLICT', { message: 'This was appealed already.' });
  const { row } = await openCase(ctx, tx, {
    kind: 'appeal',
    title: `Appeal: ${wordsOf(decision)}`.slice(0, 200),
    from,
    about: {
      subject: subjectOf(decision),
      subjectId: decision.subject_id,
      personId: decision.person_id,
      snapshot: [],
    },
    decisionId: decision.id,
  });
  await addEntry(ctx, tx, row.id, { kind: 'message', byId: from.id, body: message });
  return row;
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
  const { reference } = await ctx.db.transaction((tx) => openAppeal(ctx, tx, unsafe, { from, message }));
  return { success: true, reference, message: `Somebody else looks at it. Its number is ${reference}.` };
}

/** What was decided about the actor, the newest first. */
export async function ownDecisions(ctx: Context, actor: Actor): Promise<AnswerOf<typeof listDecisions>> {
  const rows = await ctx.db.query
    .selectFrom('case_decisions as d')
    .innerJoin('cases as c', 'c.id', 'd.case_id')
    .selectAll('d')
    .select('c.reference')
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
        reference: row.reference,
        act: measureOf(row),
        at: row.at.toISOString(),
        words: wordsOf(row),
        ground: row.ground,
        until: row.until?.toISOString() ?? null,
        undoneAt: row.undone_at?.toISOString() ?? null,
        appealBy: !made && isAppealable(ctx, row) ? appealByOf(row.at).toISOString() : null,
        appeal: made
          ? {
              reference: made.reference,
              state: z.parse(z.enum(CASE_STATES), made.state),
              outcome: made.outcome === 'uphold' || made.outcome === 'overturn' ? made.outcome : null,
            }
          : null,
        ...claimOf(row),
      };
    }),
  };
}
