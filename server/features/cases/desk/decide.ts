/** Deciding, and taking a decision back: one transaction with everything that it does, who is told, and its entry in the audit log. */

import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { formatCents } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import {
  type CaseAct,
  isMeasure,
  REFUND_STAYS,
  RESTORED_WORDS,
  TIMED_ACTS,
  toldWords,
} from '@stagedoor/contract/case-kinds.ts';
import type { decideCase, dismissCases, undoDecision } from '@stagedoor/contract/cases-desk.ts';
import { operatorMayDecide } from '@stagedoor/contract/operator-rights.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../kernel/context.ts';
import type { Transaction } from '../../../kernel/db.ts';
import { newId } from '../../../kernel/ids.ts';
import { requireProof } from '../../../kernel/operators.ts';
import type { Actor } from '../../../kernel/session.ts';
import { findUser } from '../../accounts/index.ts';
import { noteAct } from '../../audit/index.ts';
import { letGo, type MoneyActRoom } from '../../operators/index.ts';
import { type Involved, mayUndo, requireMayDecide, requireReads } from '../access.ts';
import { appealByOf, measureOf, toldOf, wordsOf } from '../appeals.ts';
import { claimTold } from '../copyright/present.ts';
import { lockAgainst } from '../copyright/store.ts';
import { tellTakenBack } from '../copyright/telling.ts';
import '../events.ts';
import { KINDS } from '../kinds.ts';
import { decidedMail } from '../mails.ts';
import { addEntry, type CaseRow, changeCase, type DecisionRow, findDecision, lockCase } from '../store.ts';
import { tellOwners, withCopies } from './copies.ts';
import { type After, giveThingBack, settlePerson, takeThing, type UndoFacts } from './effects.ts';
import { giveBack, isGivenBack, leftOf, owedOf, salesOf, sumOf } from './refunds.ts';
import { tellWriters } from './telling.ts';
import { thingOf } from './thing.ts';
import { involvedIn, viewCase } from './view.ts';

const DAY_MS = 24 * 60 * 60_000;
const NOTHING: After = () => undefined;

type Wish = BodyOf<typeof decideCase>;
type Operator = Pick<Actor, 'userId' | 'roles'>;
/** An operator; nobody where it happens by itself. */
type By = string | null;

/** Until when a measure holds; null of those without an end. Throws VALIDATION. */
function untilOf({ act, days }: Wish, now: Date): Date | null {
  if (!TIMED_ACTS.includes(act)) return null;
  if (days === undefined) throw invalid('days', 'Please say for how many days.');
  return new Date(now.getTime() + days * DAY_MS);
}

/** What a thing is called to its person. */
const titleOf = (row: CaseRow) => (row.subject === 'post' ? row.title.split(': ').slice(1).join(': ') : '');

async function writeDecision(
  ctx: Context,
  tx: Transaction,
  { by, row, wish, undo }: { by: By; row: CaseRow; wish: Wish; undo: UndoFacts | { sales: string[] } | undefined },
): Promise<DecisionRow> {
  const now = ctx.clock.now();
  return tx.query
    .insertInto('case_decisions')
    .values({
      id: newId(ctx.clock),
      case_id: row.id,
      person_id: row.person_id,
      act: wish.act,
      subject: row.subject,
      subject_id: row.subject_id,
      title: titleOf(row),
      ground: wish.ground,
      until: untilOf(wish, now),
      operator_id: by,
      at: now,
      undo: JSON.stringify(undo ?? {}),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Tells whom it was done to: what, why, and how to appeal; or that it was taken back. */
async function tellPerson(ctx: Context, tx: Transaction, decision: DecisionRow, reference: string): Promise<void> {
  const person = decision.person_id === null ? undefined : await findUser(tx, decision.person_id);
  if (!person) return;
  const words = wordsOf(decision);
  const isUndone = decision.undone_at !== null;
  const told = isUndone
    ? `This was taken back:\n\n${words}\n\n${decision.undo_ground ?? ''}`
    : [toldWords(toldOf(decision), appealByOf(decision.at).toISOString()), await claimTold(ctx, tx, decision)]
        .filter((part) => part !== undefined)
        .join('\n\n');
  const place = person.is_blocked
    ? CASE_PATHS.contactUs
    : person.type === 'creator'
      ? CASE_PATHS.creatorHelpdesk
      : CASE_PATHS.fanHelpdesk;
  await ctx.mailer.send(tx, decidedMail(person, reference, told, `${ctx.config.publicUrl}${place}`));
  const about = { userId: person.id, decisionId: decision.id, act: measureOf(decision) };
  await tx.emit('case.decided', { ...about, isUndone, words });
}

/** Does what a measure does. Answers what has to be known to take it back, and what follows the commit. */
/** A notice of copyright is about what one person posted: whoever made the same may be whoever claims it, and each may answer for themselves. */
const isOfOne = ({ kind }: Pick<CaseRow, 'kind'>) => kind === 'copyright';

async function takeMeasure(ctx: Context, tx: Transaction, row: CaseRow, act: CaseAct) {
  if (act !== 'hide' && act !== 'remove') return { undo: undefined, after: NOTHING };
  const thing = await thingOf(tx, row);
  if (!thing) throw new AppError('CONFLICT', { message: 'It is not here any more.' });
  const of = { subject: row.subject, subjectId: row.subject_id };
  if (act === 'hide') return takeThing(ctx, tx, of);
  const { fileIds, broadcastId } = thing;
  const mediaIds = await withCopies(tx, thing.mediaIds, isOfOne(row) ? row.person_id : undefined);
  return takeThing(ctx, tx, of, { mediaIds, fileIds, broadcastId });
}

async function close(ctx: Context, tx: Transaction, row: CaseRow, outcome: CaseAct): Promise<void> {
  const at = ctx.clock.now();
  await changeCase(tx, row.id, { state: 'closed', closed_at: at, changed_at: at, outcome });
}

/** The decisions of a case. */
const decisionsOf = (tx: Transaction, caseId: string) =>
  tx.query.selectFrom('case_decisions').selectAll().where('case_id', '=', caseId).execute();

/**
 * Gives purchases back, or lets a large sum wait for a second operator; the case stays open, in the queue that it came from. The same
 * wish again does nothing. Throws as {@link decide}.
 */
async function refundWithin(
  ctx: Context,
  tx: Transaction,
  actor: Operator,
  involved: Involved,
  wish: Wish,
): Promise<void> {
  const { row, purchases } = involved;
  const sales = salesOf(wish.sales);
  const { ground } = wish;
  if (operatorMayDecide(actor.roles ?? [], 'refund', false) && isGivenBack(await decisionsOf(tx, row.id), sales))
    return;
  requireMayDecide(actor, involved, 'refund');
  const cents = leftOf(purchases, sales);
  const of = { kind: 'refund', subjectId: row.id, about: row.reference, operatorId: actor.userId } as const;
  const { waits, isNew, facts } = await letGo(ctx, tx, { ...of, cents, ground, wish: { sales: sales.join(' ') } });
  if (!waits) return refund(ctx, tx, { by: actor.userId, involved, sales, ground, facts });
  if (!isNew) return;
  await noteAct(ctx, tx, {
    operatorId: actor.userId,
    act: 'case.refundWanted',
    subjectKind: 'case',
    subjectId: row.id,
    facts: { reference: row.reference, person: row.person_id, ground, sales: sales.join(' '), cents },
  });
}

type Refund = {
  by: string;
  involved: Involved;
  sales: readonly string[];
  ground: string;
  facts: Readonly<Record<string, string | boolean>>;
};

/** Gives them back, by whoever wanted it. Throws CONFLICT for what is given back already, or whose buyer's account is closed. */
async function refund(ctx: Context, tx: Transaction, { by, involved, sales, ground, facts }: Refund): Promise<void> {
  const { row, purchases } = involved;
  const given = await giveBack(ctx, tx, { by, row, purchases, sales, ground });
  const wish: Wish = { act: 'refund', ground };
  const decision = await writeDecision(ctx, tx, { by, row, wish, undo: { sales: [...sales] } });
  const sum = sumOf(given);
  const body = `refund: ${formatCents(sum)}. ${ground}`;
  await addEntry(ctx, tx, row.id, { kind: 'decision', byId: by, body });
  await changeCase(tx, row.id, { queue: KINDS[row.kind].queue, changed_at: ctx.clock.now() });
  await noteAct(ctx, tx, {
    operatorId: by,
    act: 'case.refund',
    subjectKind: 'case',
    subjectId: row.id,
    facts: {
      reference: row.reference,
      decision: decision.id,
      person: row.person_id,
      ground,
      sales: sales.join(' '),
      cents: sum,
      owed_cents: owedOf(given),
      ...facts,
    },
  });
}

const refundWish = z.object({ sales: z.string() });

/** How money goes back from a case that two operators have to want. */
export const refundByTwo = (ctx: Context): MoneyActRoom => ({
  lock: async (tx, id) => {
    await lockAgainst(tx, id);
    if (!(await lockCase(tx, id))) throw new AppError('NOT_FOUND');
  },
  perform: async (tx, { subjectId, cents, wish, ground, askedBy, confirmer }) => {
    const row = await lockCase(tx, subjectId);
    if (!row) throw new AppError('NOT_FOUND');
    const involved = await involvedIn(tx, row);
    requireMayDecide(confirmer, involved, 'refund');
    const sales = z.parse(refundWish, wish).sales.split(' ');
    if (leftOf(involved.purchases, sales) > cents) throw new Error('no sale grows');
    await refund(ctx, tx, { by: askedBy, involved, sales, ground, facts: { confirmedBy: confirmer.userId } });
  },
});

/** Decides within a transaction. Throws as {@link decide}. */
async function decideWithin(ctx: Context, tx: Transaction, actor: Operator, id: string, wish: Wish): Promise<After[]> {
  await lockAgainst(tx, id);
  const row = await lockCase(tx, id);
  if (!row) throw new AppError('NOT_FOUND');
  await requireReads(tx, actor, row);
  const involved = await involvedIn(tx, row);
  if (wish.act === 'refund') {
    await refundWithin(ctx, tx, actor, involved, wish);
    return [];
  }
  requireMayDecide(actor, involved, wish.act);
  return carryOut(ctx, tx, actor.userId, involved, wish);
}

/** Does what was decided, and tells everybody. */
async function carryOut(
  ctx: Context,
  tx: Transaction,
  by: By,
  { row, appealed }: Pick<Involved, 'row' | 'appealed'>,
  wish: Wish,
): Promise<After[]> {
  const { id } = row;
  const taken = isMeasure(wish.act) ? await takeMeasure(ctx, tx, row, wish.act) : { undo: undefined, after: NOTHING };
  const decision = await writeDecision(ctx, tx, { by, row, wish, undo: taken.undo });
  const afters = [taken.after];
  if (isMeasure(wish.act)) {
    afters.push(await settlePerson(ctx, tx, decision));
    await tellPerson(ctx, tx, decision, row.reference);
    await tellOwners(ctx, tx, (!isOfOne(row) && taken.undo?.mediaIds) || [], {
      personId: row.person_id,
      ground: wish.ground,
      isBack: false,
    });
  }
  if ((wish.act === 'overturn' || wish.act === 'restore') && appealed?.undone_at === null)
    afters.push(...(await takeBack(ctx, tx, by, appealed, wish.ground)));
  if (wish.act === 'overturn' && appealed) await tellTakenBack(ctx, tx, appealed, wish.ground);
  await addEntry(ctx, tx, id, { kind: 'decision', byId: by, body: `${wish.act}: ${wish.ground}` });
  await close(ctx, tx, row, wish.act);
  const wasRefunded = (await decisionsOf(tx, id)).some(({ act }) => act === 'refund');
  await tellWriters(ctx, tx, row, wish, wasRefunded);
  await noteAct(ctx, tx, {
    operatorId: by,
    act: `case.${wish.act}`,
    subjectKind: 'case',
    subjectId: id,
    facts: {
      reference: row.reference,
      decision: decision.id,
      person: row.person_id,
      ground: wish.ground,
      days: wish.days ?? null,
    },
  });
  return afters;
}

/**
 * Decides a case. Throws NOT_FOUND, VALIDATION (an end is missing, or what to give back), FORBIDDEN with the reason (about oneself, about
 * an operator, an appeal against one's own decision, money without the role or a proof), CONFLICT for what somebody decided first.
 */
export async function decide(ctx: Context, actor: Actor, id: string, wish: Wish): Promise<AnswerOf<typeof decideCase>> {
  untilOf(wish, ctx.clock.now());
  if (wish.act === 'refund' && operatorMayDecide(actor.roles ?? [], 'refund', false)) requireProof(actor, ctx);
  await decideBy(ctx, actor, id, wish);
  return viewCase(ctx, actor, id);
}

/** Decides without a look at the case afterwards. Throws as {@link decide}. */
export async function decideBy(ctx: Context, operator: Operator, id: string, wish: Wish): Promise<void> {
  const afters = await ctx.db.transaction((tx) => decideWithin(ctx, tx, operator, id, wish));
  for (const after of afters) await after();
}

/** Ends a counter-notice whose time is over, as nobody did: what was removed comes back. Does nothing when somebody ended it meanwhile. */
export async function restoreDue(ctx: Context, id: string): Promise<void> {
  const afters = await ctx.db.transaction(async (tx) => {
    await lockAgainst(tx, id);
    const row = await lockCase(tx, id);
    if (row?.kind !== 'counter' || row.state === 'closed') return [];
    return carryOut(ctx, tx, null, await involvedIn(tx, row), { act: 'restore', ground: RESTORED_WORDS });
  });
  for (const after of afters) await after();
}

/** Marks a decision as taken back, and undoes what it did as far as no other holds it. */
async function takeBack(
  ctx: Context,
  tx: Transaction,
  by: By,
  decision: DecisionRow,
  ground: string,
): Promise<After[]> {
  const undone = await tx.query
    .updateTable('case_decisions')
    .set({ undone_at: ctx.clock.now(), undone_by: by, undo_ground: ground })
    .where('id', '=', decision.id)
    .where('undone_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (!undone) throw new AppError('CONFLICT', { message: 'Somebody else took this back first.' });
  const afters = [await giveThingBack(ctx, tx, undone), await settlePerson(ctx, tx, undone)];
  const { reference } = await tx.query
    .selectFrom('cases')
    .select('reference')
    .where('id', '=', undone.case_id)
    .executeTakeFirstOrThrow();
  await tellPerson(ctx, tx, undone, reference);
  return afters;
}

/** Takes a decision back. Throws NOT_FOUND, FORBIDDEN, CONFLICT when it was taken back already. */
export async function undo(
  ctx: Context,
  actor: Actor,
  id: string,
  { ground }: BodyOf<typeof undoDecision>,
): Promise<AnswerOf<typeof undoDecision>> {
  const decision = await findDecision(ctx.db, id);
  if (!decision) throw new AppError('NOT_FOUND');
  if (decision.undone_at !== null) throw new AppError('CONFLICT', { message: 'Somebody else took this back first.' });
  if (decision.act === 'refund') throw new AppError('CONFLICT', { message: REFUND_STAYS });
  if (!mayUndo(actor, decision)) throw new AppError('FORBIDDEN', { message: 'This is not yours to take back.' });
  const afters = await ctx.db.transaction(async (tx) => {
    await lockCase(tx, decision.case_id);
    const done = await takeBack(ctx, tx, actor.userId, decision, ground);
    await tellTakenBack(ctx, tx, decision, ground);
    await addEntry(ctx, tx, decision.case_id, {
      kind: 'undone',
      byId: actor.userId,
      body: `${decision.act}: ${ground}`,
    });
    await noteAct(ctx, tx, {
      operatorId: actor.userId,
      act: 'case.undo',
      subjectKind: 'case',
      subjectId: decision.case_id,
      facts: { decision: id, undone: decision.act, person: decision.person_id, ground },
    });
    return done;
  });
  for (const after of afters) await after();
  return viewCase(ctx, actor, decision.case_id);
}

/** Dismisses several, each for itself; what cannot be, because it is decided or not this operator's to decide, is left. */
export async function dismissAll(
  ctx: Context,
  actor: Actor,
  { ids, ground }: BodyOf<typeof dismissCases>,
): Promise<AnswerOf<typeof dismissCases>> {
  const dismissed: typeof ids = [];
  const left: typeof ids = [];
  for (const id of new Set(ids)) {
    try {
      await ctx.db.transaction((tx) => decideWithin(ctx, tx, actor, id, { act: 'dismiss', ground }));
      dismissed.push(id);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      left.push(id);
    }
  }
  return { dismissed, left };
}
