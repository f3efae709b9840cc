/** One transaction covers the decision, its effects, the notifications and the audit entry. */

import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import { type CaseAct, isMeasure, REFUND_STAYS, RESTORED_WORDS, toldWords } from '@stagedoor/contract/case-kinds.ts';
import type { decideCase, dismissCases, undoDecision } from '@stagedoor/contract/cases-desk.ts';
import { isProvenAct, operatorMayDecide } from '@stagedoor/contract/operator-rights.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Transaction } from '../../../kernel/db.ts';
import { requireProof } from '../../../kernel/operators.ts';
import type { Actor } from '../../../kernel/session.ts';
import { findUser } from '../../accounts/index.ts';
import { noteAct } from '../../audit/index.ts';
import { endMoneyAct, lockMoneyActs } from '../../operators/index.ts';
import { takeFromProfile } from '../../profiles/index.ts';
import { type Involved, mayUndo, requireMayDecide, requireReads } from '../access.ts';
import { appealByOf, isTaken, measureOf, toldOf, wordsOf } from '../appeals.ts';
import { claimTold } from '../copyright/present.ts';
import { lockAgainst } from '../copyright/store.ts';
import { tellTakenBack } from '../copyright/telling.ts';
import '../events.ts';
import { decidedMail } from '../mails.ts';
import { hangTaken, type KeptProfile, withCopy } from '../profiles.ts';
import {
  addEntry,
  type CaseRow,
  changeCase,
  type DecisionRow,
  findCase,
  findDecision,
  lockCase,
  numberOfDecision,
} from '../store.ts';
import { tellOwners, withCopies } from './copies.ts';
import { type After, giveThingBack, settlePerson, takeThing } from './effects.ts';
import { decisionsOf, refundWithin } from './giving-back.ts';
import { markUndone, openOverturned, reopenWithin } from './reopen.ts';
import { tellWriters } from './telling.ts';
import { thingOf } from './thing.ts';
import { involvedIn, viewCase } from './view.ts';
import { type By, type Operator, partsOf, takesParts, untilOf, type Wish, writeDecision } from './write.ts';

type Copy = KeptProfile | undefined;
const NOTHING: After = () => undefined;

const CLOSES = '\n\nYour account will still be deleted as you requested. Log in before then to keep it.';

async function tellPerson(ctx: Context, tx: Transaction, decision: DecisionRow): Promise<void> {
  const person = decision.person_id === null ? undefined : await findUser(tx, decision.person_id);
  if (!person) return;
  const words = wordsOf(decision);
  const isUndone = decision.undone_at !== null;
  const told = isUndone
    ? `This was reversed:\n\n${words}\n\n${decision.undo_ground ?? ''}${person.is_closing ? CLOSES : ''}`
    : [toldWords(toldOf(decision), appealByOf(decision.at).toISOString()), await claimTold(ctx, tx, decision)]
        .filter((part) => part !== undefined)
        .join('\n\n');
  const place = person.is_blocked
    ? CASE_PATHS.contactUs
    : person.type === 'creator'
      ? CASE_PATHS.creatorHelpdesk
      : CASE_PATHS.fanHelpdesk;
  await ctx.mailer.send(
    tx,
    decidedMail(person, numberOfDecision(decision.id), told, `${ctx.config.publicUrl}${place}`),
  );
  const about = { userId: person.id, decisionId: decision.id, act: measureOf(decision) };
  await tx.emit('case.decided', { ...about, isUndone, words });
}

/**
 * A copyright notice affects one user's copies only. Another owner may be the claimant, and each can respond
 * separately.
 */
const isOfOne = ({ kind }: Pick<CaseRow, 'kind'>) => kind === 'copyright';

/** Throws CONFLICT for parts that no longer exist. */
async function takeParts(ctx: Context, tx: Transaction, { row, parts: there }: Involved, wish: Wish, copy: Copy) {
  const parts = partsOf(wish);
  if (row.person_id === null || !copy || parts.some((part) => !there.includes(part)))
    throw new AppError('CONFLICT', { message: 'This no longer exists.' });
  await hangTaken(tx, row.id, row.person_id, copy);
  await takeFromProfile(ctx, tx, row.person_id, parts);
  return takeThing(ctx, tx, { subject: null, subjectId: null }, { parts, profileId: copy.id });
}

/** Returns the data for a reversal and the work after the commit. */
async function takeMeasure(ctx: Context, tx: Transaction, involved: Involved, wish: Wish, copy: Copy) {
  const { row } = involved;
  const { act } = wish;
  if (act !== 'hide' && act !== 'remove') return { undo: undefined, after: NOTHING };
  if (takesParts(wish, row)) return takeParts(ctx, tx, involved, wish, copy);
  const thing = await thingOf(tx, row);
  if (!thing) throw new AppError('CONFLICT', { message: 'This no longer exists.' });
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

/** `copy` is needed when profile parts are removed. Throws as {@link decide}. */
async function decideWithin(
  ctx: Context,
  tx: Transaction,
  actor: Operator,
  { id, wish, copy }: { id: string; wish: Wish; copy?: Copy },
): Promise<After[]> {
  if (wish.act === 'refund') await lockMoneyActs(tx);
  await lockAgainst(tx, id);
  const row = await lockCase(tx, id);
  if (!row) throw new AppError('NOT_FOUND');
  await requireReads(tx, actor, row);
  const involved = await involvedIn(tx, row, { named: wish.sales });
  if (wish.act === 'refund') {
    await refundWithin(ctx, tx, actor, involved, wish);
    return [];
  }
  requireMayDecide(actor, involved, wish.act);
  return carryOut(ctx, tx, actor.userId, involved, { wish, copy });
}

async function carryOut(
  ctx: Context,
  tx: Transaction,
  by: By,
  involved: Involved,
  { wish, copy }: { wish: Wish; copy?: Copy },
): Promise<After[]> {
  const { row, appealed } = involved;
  const { id } = row;
  const taken = isMeasure(wish.act)
    ? await takeMeasure(ctx, tx, involved, wish, copy)
    : { undo: undefined, after: NOTHING };
  const decision = await writeDecision(ctx, tx, { by, row, wish, undo: taken.undo });
  const afters = [taken.after];
  if (isMeasure(wish.act)) {
    afters.push(await settlePerson(ctx, tx, decision));
    await tellPerson(ctx, tx, decision);
    await tellOwners(ctx, tx, (!isOfOne(row) && taken.undo?.mediaIds) || [], {
      personId: row.person_id,
      ground: wish.ground,
      isBack: false,
    });
  }
  if ((wish.act === 'overturn' || wish.act === 'restore') && appealed?.undone_at === null) {
    if (isTaken(appealed)) afters.push(...(await takeBack(ctx, tx, by, appealed, wish.ground)));
    else await openOverturned(ctx, tx, by, appealed, wish.ground);
  }
  if (wish.act === 'overturn' && appealed) await tellTakenBack(ctx, tx, appealed, wish.ground);
  await addEntry(ctx, tx, id, { kind: 'decision', byId: by, body: `${wish.act}: ${wish.ground}` });
  await close(ctx, tx, row, wish.act);
  const wasRefunded = (await decisionsOf(tx, id)).some(({ act }) => act === 'refund');
  await tellWriters(ctx, tx, row, wish, wasRefunded);
  await endMoneyAct(ctx, tx, { kind: 'refund', subjectId: id, by, ground: wish.ground });
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

/** Throws FORBIDDEN with a link to re-authentication, also when an appeal would reverse such a decision. */
async function requireProofFor(ctx: Context, actor: Actor, id: string, { act }: Wish): Promise<void> {
  if (!operatorMayDecide(actor.roles ?? [], act, false)) return;
  const row = act === 'overturn' ? await findCase(ctx.db, id) : undefined;
  const appealed = row?.decision_id ? await findDecision(ctx.db, row.decision_id) : undefined;
  if (isProvenAct(act) || (appealed && isTaken(appealed) && isProvenAct(measureOf(appealed)))) requireProof(actor, ctx);
}

/**
 * Decides a case. Throws NOT_FOUND, VALIDATION (missing end or purchases), FORBIDDEN with the reason (about the caller
 * or an operator, an appeal against the caller's own decision, a refund without the role, a missing proof of identity),
 * CONFLICT if it was decided already.
 */
export async function decide(ctx: Context, actor: Actor, id: string, wish: Wish): Promise<AnswerOf<typeof decideCase>> {
  untilOf(wish, ctx.clock.now());
  await requireProofFor(ctx, actor, id, wish);
  await decideBy(ctx, actor, id, wish);
  return viewCase(ctx, actor, id);
}

/** Throws as {@link decide}. */
export async function decideBy(ctx: Context, operator: Operator, id: string, wish: Wish): Promise<void> {
  const row = await findCase(ctx.db, id);
  const takenFrom = row && takesParts(wish, row) ? (row.person_id ?? undefined) : undefined;
  const afters = await withCopy(ctx, takenFrom, async (copy) => ({
    answer: await ctx.db.transaction((tx) => decideWithin(ctx, tx, operator, { id, wish, copy })),
    isHung: true,
  }));
  for (const after of afters) await after();
}

/**
 * Restores content after the deadline of a counter-notice. Does nothing if the counter-notice ended in the meantime.
 */
export async function restoreDue(ctx: Context, id: string): Promise<void> {
  const afters = await ctx.db.transaction(async (tx) => {
    await lockAgainst(tx, id);
    const row = await lockCase(tx, id);
    if (row?.kind !== 'counter' || row.state === 'closed') return [];
    return carryOut(ctx, tx, null, await involvedIn(tx, row), {
      wish: { act: 'restore', ground: RESTORED_WORDS },
    });
  });
  for (const after of afters) await after();
}

/** Reverses a measure. Effects that another decision in force requires stay. */
async function takeBack(
  ctx: Context,
  tx: Transaction,
  by: By,
  decision: DecisionRow,
  ground: string,
): Promise<After[]> {
  const undone = await markUndone(ctx, tx, { by, decisionId: decision.id, ground });
  const afters = [await giveThingBack(ctx, tx, undone), await settlePerson(ctx, tx, undone)];
  await tellPerson(ctx, tx, undone);
  return afters;
}

/**
 * Reverses a decision. After a dismissal or closing the case is open again. Throws NOT_FOUND, FORBIDDEN (also for a
 * missing proof of identity), CONFLICT if it was reversed already.
 */
export async function undo(
  ctx: Context,
  actor: Actor,
  id: string,
  { ground }: BodyOf<typeof undoDecision>,
): Promise<AnswerOf<typeof undoDecision>> {
  const decision = await findDecision(ctx.db, id);
  if (!decision) throw new AppError('NOT_FOUND');
  if (decision.undone_at !== null) throw new AppError('CONFLICT', { message: 'Someone else already reversed this.' });
  if (decision.act === 'refund') throw new AppError('CONFLICT', { message: REFUND_STAYS });
  const row = await findCase(ctx.db, decision.case_id);
  if (!row) throw new AppError('NOT_FOUND');
  if (!mayUndo(actor, decision, row)) throw new AppError('FORBIDDEN', { message: 'You can’t reverse this.' });
  if (!isTaken(decision)) {
    await ctx.db.transaction((tx) => reopenWithin(ctx, tx, actor, row.id, ground));
    return viewCase(ctx, actor, row.id);
  }
  if (isProvenAct(measureOf(decision))) requireProof(actor, ctx);
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

/** Dismisses each case in its own transaction and skips those that cannot be dismissed. */
export async function dismissAll(
  ctx: Context,
  actor: Actor,
  { ids, ground }: BodyOf<typeof dismissCases>,
): Promise<AnswerOf<typeof dismissCases>> {
  const dismissed: typeof ids = [];
  const left: typeof ids = [];
  for (const id of new Set(ids)) {
    try {
      await ctx.db.transaction((tx) => decideWithin(ctx, tx, actor, { id, wish: { act: 'dismiss', ground } }));
      dismissed.push(id);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      left.push(id);
    }
  }
  return { dismissed, left };
}
