import { postPath, profilePath } from '@stagedoor/contract/addresses.ts';
import { ACTIVITIES } from '@stagedoor/contract/atoms/activities.ts';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { CASES } from '@stagedoor/contract/atoms/room-limits.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import { ENTRY_KINDS, MEASURES } from '@stagedoor/contract/case-kinds.ts';
import type { readCase } from '@stagedoor/contract/cases-desk.ts';
import { callDeskPath, postDeskPath } from '@stagedoor/contract/desk-addresses.ts';
import { readDeskCall, readDeskPost } from '@stagedoor/contract/lookup-things.ts';
import { operatorMay } from '@stagedoor/contract/operator-rights.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../kernel/context.ts';
import type { Executor, Statement } from '../../../kernel/db.ts';
import type { Actor } from '../../../kernel/session.ts';
import { avatarUrl, findPeople, findUser, limitedOf } from '../../accounts/index.ts';
import { noteAct } from '../../audit/index.ts';
import { waitingOf } from '../../operators/index.ts';
import { partsShown, readShown } from '../../profiles/index.ts';
import { actsFor, type Involved, obstacleFor, obstacleToReopen, requireReads } from '../access.ts';
import { appealByOf } from '../appeals.ts';
import { copyrightOf } from '../copyright/present.ts';
import { picturesOf } from '../pictures.ts';
import { type CaseRow, type EntryRow, entriesOf, findCase, findDecision } from '../store.ts';
import { knownCopies } from './copies.ts';
import { lookFor } from './looks.ts';
import { type DecisionOfCase, OF_CASE, presentDecisions, presentLines } from './present.ts';
import { presentPurchases, purchasesOf } from './refunds.ts';
import { isPrivateWord, thingOf } from './thing.ts';

const entryKind = z.enum(ENTRY_KINDS);
type CaseView = AnswerOf<typeof readCase>;
type Entry = CaseView['entries'][number];
type Standing = NonNullable<CaseView['about']>;

export async function involvedIn(
  db: Executor,
  row: CaseRow,
  of: { named?: readonly string[] | undefined } = {},
): Promise<Involved> {
  const { person_id: personId } = row;
  const [person, appealed, { purchases, count: purchaseCount }, profile] = await Promise.all([
    personId === null ? undefined : findUser(db, personId),
    row.decision_id === null ? undefined : findDecision(db, row.decision_id),
    purchasesOf(db, row, of),
    personId !== null && row.subject === 'profile' ? readShown(db, personId) : undefined,
  ]);
  return {
    row,
    person,
    appealed,
    purchases,
    purchaseCount,
    parts: profile && !person?.is_erasing ? partsShown(profile) : [],
  };
}

const NUMBERS: Statement = {
  name: 'cases-standing',
  text: `with about as (select outcome from cases where person_id = $1 and state = 'closed' order by id desc limit $3),
      made as (select c.outcome from case_entries e join cases c on c.id = e.case_id where e.by_id = $1 and e.kind = 'report' order by e.at desc limit $3)
    select (select count(*)::int from about) as cases, (select count(*)::int from about where outcome = any ($2::text[])) as upheld,
      (select count(*)::int from made) as reports, (select count(*)::int from made where outcome = any ($2::text[])) as right`,
};

async function standingOf(ctx: Context, userId: string | null): Promise<Standing | null> {
  const user = userId === null ? undefined : await findUser(ctx.db, userId);
  if (!user) return null;
  type Numbers = { cases: number; upheld: number; reports: number; right: number };
  const [numbers] = await ctx.db.run<Numbers>(NUMBERS, [user.id, MEASURES, CASES.counted]);
  const limited = limitedOf(user);
  const now = ctx.clock.now().toISOString();
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    type: user.type,
    avatarUrl: avatarUrl(user.avatar_key),
    since: user.created_at.toISOString(),
    isBlocked: user.is_blocked,
    blockedUntil: user.blocked_until?.toISOString() ?? null,
    limits: ACTIVITIES.flatMap((activity) => {
      const until = limited[activity];
      return until !== undefined && until > now ? [{ activity, until }] : [];
    }),
    cases: numbers?.cases ?? 0,
    upheld: numbers?.upheld ?? 0,
    reports: numbers?.reports ?? 0,
    foundRight: numbers?.right ?? 0,
  };
}

async function presentEntries(db: Executor, rows: readonly EntryRow[]): Promise<Entry[]> {
  const [people, pictures] = await Promise.all([
    findPeople(
      db,
      rows.flatMap(({ by_id: id, member_id: memberId }) => [id ?? [], memberId ?? []].flat()),
    ),
    picturesOf(
      db,
      rows.map(({ id }) => id),
    ),
  ]);
  return rows.map(({ id, at, kind, by_id: byId, member_id: memberId, body }) => {
    const by = people.get(byId ?? '');
    return {
      id,
      at: at.toISOString(),
      kind: z.parse(entryKind, kind),
      by: by?.username ?? null,
      byId: by && by.type !== 'operator' ? by.id : null,
      member: people.get(memberId ?? '')?.username ?? null,
      text: body,
      pictures: pictures.get(id) ?? [],
    };
  });
}

const EARLIER = 10;

export function decisionsWhere(db: Executor, column: 'd.case_id' | 'd.person_id' | 'd.id', id: string) {
  return db.query
    .selectFrom('case_decisions as d')
    .innerJoin('cases as c', 'c.id', 'd.case_id')
    .selectAll('d')
    .select(OF_CASE)
    .where(column, '=', id)
    .orderBy('d.id', 'desc');
}

async function earlierOf(db: Executor, row: CaseRow): Promise<DecisionOfCase[]> {
  if (row.person_id === null) return [];
  return decisionsWhere(db, 'd.person_id', row.person_id).where('d.case_id', '!=', row.id).limit(EARLIER).execute();
}

function hrefOf({ subject, subject_id: id }: CaseRow, about: Standing | null): string | null {
  if (subject === 'post' && id !== null) return postPath(id);
  return subject === 'profile' && about?.type === 'creator' ? profilePath(about.username) : null;
}

function deskHrefOf({ subject, subject_id: id }: CaseRow, { roles = [] }: Actor): string | null {
  if (id === null) return null;
  if (subject === 'post') return operatorMay(roles, readDeskPost) ? postDeskPath(id) : null;
  return subject === 'call' && operatorMay(roles, readDeskCall) ? callDeskPath(id) : null;
}

/** Logs once an hour that an operator read contact details, whichever response contained them. */
async function noteReading(ctx: Context, { userId: operatorId }: Actor, { id, reference }: CaseRow): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (await lookFor(ctx, tx, operatorId, id)) return;
    await noteAct(ctx, tx, {
      ...{ operatorId, act: 'case.read', subjectKind: 'case', subjectId: id },
      facts: { reference },
    });
  });
}

/** Returns the case as the operator may see it. Throws NOT_FOUND. */
export async function viewCase(ctx: Context, actor: Actor, id: string): Promise<CaseView> {
  const row = await findCase(ctx.db, id);
  if (!row) throw new AppError('NOT_FOUND');
  const { db } = ctx;
  await requireReads(db, actor, row);
  const [[line], involved, about, fromPerson, entries, own, earlier, thing] = await Promise.all([
    presentLines(db, [row], ctx.clock.now()),
    involvedIn(db, row),
    standingOf(ctx, row.person_id),
    standingOf(ctx, row.from_id),
    entriesOf(db, id),
    decisionsWhere(db, 'd.case_id', id).execute(),
    earlierOf(db, row),
    thingOf(db, row),
  ]);
  if (!line) throw new AppError('NOT_FOUND');
  const appealed = involved.appealed ? await decisionsWhere(db, 'd.id', involved.appealed.id).execute() : [];
  const [decisions, before, [against = null]] = await Promise.all([
    presentDecisions(db, actor, own),
    presentDecisions(db, actor, earlier),
    presentDecisions(db, actor, appealed),
  ]);
  const [presented, purchases, waiting] = await Promise.all([
    presentEntries(db, entries),
    presentPurchases(db, involved.purchases),
    waitingOf(ctx, 'refund', [row.id]),
  ]);
  const copyright = await copyrightOf(
    ctx,
    row,
    own.map((decision) => decision.id),
  );
  if (copyright.notice !== null || copyright.counter !== null) await noteReading(ctx, actor, row);
  const copies = await knownCopies(db, thing?.mediaIds ?? []);
  return {
    ...line,
    changedAt: row.changed_at.toISOString(),
    details: presented[0]?.text ?? '',
    fromPerson,
    fromEmail: row.from_email,
    isUnproven: row.is_unproven && row.from_email !== '',
    where: row.place,
    about,
    subjectHref: hrefOf(row, about),
    deskHref: deskHrefOf(row, actor),
    snapshot: row.snapshot.filter((fact) => !isPrivateWord(row, fact)),
    hasThing: thing !== undefined,
    isGone:
      row.subject_id !== null &&
      (thing === undefined ? row.subject === 'post' || row.subject === 'message' : thing.isGone),
    copies: copies.count,
    copiesOf: copies.of,
    parts: [...involved.parts],
    entries: presented,
    decisions,
    earlier: before,
    appealed: against,
    purchases,
    purchaseCount: involved.purchaseCount,
    waits: waiting.get(row.id) ?? null,
    acts: actsFor(actor, involved).filter((act) => act !== 'refund' || !waiting.has(row.id)),
    canReopen: row.state === 'closed' && obstacleToReopen(actor, involved) === undefined,
    obstacle: (row.state !== 'closed' && obstacleFor(actor, involved)) || null,
    appealBy: appealByOf(ctx.clock.now()).toISOString(),
    ...copyright,
  };
}
