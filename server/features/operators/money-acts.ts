/**
 * Money that one operator does not let go of alone. Rooms above ask before they do it (`letGo`) and say how it is done once another
 * operator has confirmed it (`registerMoneyAct`). What one let pass alone counts together for a day, so that no sum is parted.
 */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { moneyActId } from '@stagedoor/contract/atoms/ids.ts';
import { asCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import { MONEY_ACT_KINDS, type MoneyActKind, type moneyAct } from '@stagedoor/contract/money-act-view.ts';
import { decideMoneyAct as decideRoute, type listMoneyActs } from '@stagedoor/contract/money-acts.ts';
import type { Selectable } from 'kysely';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement, Tables, Transaction } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import type { Actor } from '../../kernel/session.ts';
import { findPeople } from '../accounts/index.ts';
import { noteAct } from '../audit/index.ts';
import { isAlone, requireCounts, requireTwo } from './two.ts';

type Row = Selectable<Tables['money_acts']>;
const DAY_MS = 24 * 60 * 60_000;
/** Of what was decided, so many are shown. */
const SHOWN = 20;

/** What is done once it is confirmed, by whom it was wanted and who confirms it. */
export type Confirmed = {
  subjectId: string;
  cents: number;
  wish: unknown;
  ground: string;
  askedBy: string;
  confirmer: Pick<Actor, 'userId' | 'roles'>;
};
/** What is shown of it to who confirms it. */
type Shown = Pick<z.input<typeof moneyAct>, 'sales' | 'queue'>;
const NOTHING_SHOWN: Shown = { sales: [], queue: null };
export type MoneyActRoom = {
  /** Locks what it is about, before anything else of the room's. Throws NOT_FOUND when that is gone. */
  lock(tx: Transaction, subjectId: string): Promise<unknown>;
  /** Throws CONFLICT or FORBIDDEN when it cannot be done any more, or not with this confirmer. */
  perform(tx: Transaction, act: Confirmed): Promise<void>;
  /** What each of some acts is about, in their order; without it the page of what it is about says all. */
  show?(db: Executor, acts: readonly Pick<Confirmed, 'subjectId' | 'wish'>[]): Promise<Shown[]>;
};
/** What a room needs to ask. */
type Tools = Pick<Context, 'clock'>;

const limitsOf = new WeakMap<object, (db: Executor) => Promise<number>>();

/** Says, in cents, what one operator lets go of alone within 24 hours: the limit above which two approve a payout. */
export function keepMoneyLimit(ctx: Context, limitOf: (db: Executor) => Promise<number>): void {
  limitsOf.set(ctx, limitOf);
}

const roomsOf = new WeakMap<object, Map<MoneyActKind, MoneyActRoom>>();

/** Says how a kind of it is done; once each. */
export function registerMoneyAct(ctx: Context, kind: MoneyActKind, room: MoneyActRoom): void {
  const rooms = roomsOf.get(ctx) ?? new Map<MoneyActKind, MoneyActRoom>();
  if (rooms.has(kind)) throw new Error(`${kind} is there twice`);
  rooms.set(kind, room);
  roomsOf.set(ctx, rooms);
}

export type Letting = {
  kind: MoneyActKind;
  subjectId: string;
  about: string;
  cents: number;
  wish: Readonly<Record<string, string>>;
  operatorId: string;
  ground: string;
};

const ONE_AFTER_ANOTHER: Statement = {
  name: 'money-acts-lock',
  text: `select pg_advisory_xact_lock(hashtext('money acts'))`,
};
/**
 * Lets acts that let go of money come one after another, from asking to confirming. The first lock of such a transaction: before the
 * case, the post of the processor or the wallet, so that no two wait for each other.
 */
export async function lockMoneyActs(tx: Transaction): Promise<void> {
  await tx.run(ONE_AFTER_ANOTHER, []);
}

const PASSED: Statement = {
  name: 'money-acts-passed',
  text: `select coalesce(sum(cents), 0)::bigint as cents from money_acts where outcome = 'passed' and at > $1 and operator_id = $2`,
};
/** As jsonb says: in whatever order. */
const SAME: Statement = {
  name: 'money-acts-same',
  text: `select operator_id = $3 and wish = $4::jsonb as "isSame" from money_acts where kind = $1 and subject_id = $2 and outcome is null`,
};

/**
 * Whether something waits for a second operator instead of being done now; `isNew` the first time it is wanted. What it is about is
 * locked by the caller, after {@link lockMoneyActs}. `facts` belong into the audit log. Throws CONFLICT when something else of it waits already, or for who is too
 * new at the desk to be one of two.
 */
export async function letGo(
  ctx: Tools,
  tx: Transaction,
  { kind, subjectId, about, cents, wish, operatorId, ground }: Letting,
): Promise<{ waits: boolean; isNew: boolean; facts: { alone?: true } }> {
  const limitOf = limitsOf.get(ctx);
  if (!limitOf) throw new Error('nobody says what one operator lets go of alone');
  const { clock } = ctx;
  const now = clock.now();
  const [waiting] = await tx.run<{ isSame: boolean }>(SAME, [kind, subjectId, operatorId, JSON.stringify(wish)]);
  if (waiting?.isSame) return { waits: true, isNew: false, facts: {} };
  if (waiting) throw new AppError('CONFLICT', { message: 'Something of this waits for a second operator already.' });
  const since = new Date(now.getTime() - DAY_MS);
  const [passed] = await tx.run<{ cents: number }>(PASSED, [since, operatorId]);
  const isLarge = (passed?.cents ?? 0) + cents > (await limitOf(tx));
  const waits = isLarge && !(await isAlone(ctx, tx, operatorId, decideRoute));
  if (waits) await requireCounts(ctx, tx, operatorId);
  await tx.query
    .insertInto('money_acts')
    .values({
      ...{ id: newId(clock), kind, subject_id: subjectId, about, wish: JSON.stringify(wish), cents },
      ...{ operator_id: operatorId, ground, at: now },
      ...(!waits && { outcome: 'passed', ended_at: now, ended_by: operatorId }),
    })
    .execute();
  return { waits, isNew: waits, facts: isLarge && !waits ? { alone: true } : {} };
}

async function present<R extends Row>(db: Executor, rows: readonly R[]) {
  const people = await findPeople(
    db,
    rows.flatMap(({ operator_id: by, ended_by: endedBy }) => (endedBy === null ? [by] : [by, endedBy])),
  );
  const nameOf = (id: string | null) => people.get(id ?? '')?.username ?? '';
  return rows.map((row) => ({
    row,
    endedBy: nameOf(row.ended_by),
    act: {
      id: z.parse(moneyActId, row.id),
      kind: z.parse(z.enum(MONEY_ACT_KINDS), row.kind),
      subjectId: row.subject_id,
      about: row.about,
      amount: toUsd(asCents(row.cents)),
      operator: nameOf(row.operator_id),
      ground: row.ground,
      at: row.at.toISOString(),
    },
  }));
}

/** What some acts are about, by their ids. */
async function shownOf(ctx: Pick<Context, 'db'>, rows: readonly Row[]): Promise<Map<string, Shown>> {
  const shown = new Map<string, Shown>();
  for (const [kind, room] of roomsOf.get(ctx) ?? []) {
    const of = rows.filter((row) => row.kind === kind);
    if (of.length === 0 || !room.show) continue;
    const all = await room.show(
      ctx.db,
      of.map(({ subject_id: subjectId, wish }) => ({ subjectId, wish })),
    );
    for (const [at, row] of of.entries()) shown.set(row.id, all[at] ?? NOTHING_SHOWN);
  }
  return shown;
}

async function presentWaiting(ctx: Pick<Context, 'db'>, rows: readonly Row[]): Promise<z.input<typeof moneyAct>[]> {
  const [presented, shown] = await Promise.all([present(ctx.db, rows), shownOf(ctx, rows)]);
  return presented.map(({ act }) => ({ ...act, ...(shown.get(act.id) ?? NOTHING_SHOWN) }));
}

/** What waits about some things of a kind, by their ids. */
export async function waitingOf(
  ctx: Pick<Context, 'db'>,
  kind: MoneyActKind,
  subjectIds: readonly string[],
): Promise<Map<string, z.input<typeof moneyAct>>> {
  if (subjectIds.length === 0) return new Map();
  const rows = await ctx.db.query
    .selectFrom('money_acts')
    .selectAll()
    .where('kind', '=', kind)
    .where('subject_id', 'in', subjectIds)
    .where('outcome', 'is', null)
    .execute();
  return new Map((await presentWaiting(ctx, rows)).map((act) => [act.subjectId, act]));
}

export async function viewMoneyActs(ctx: Pick<Context, 'db'>): Promise<AnswerOf<typeof listMoneyActs>> {
  const all = ctx.db.query.selectFrom('money_acts').selectAll();
  const [waiting, ended] = await Promise.all([
    all.where('outcome', 'is', null).orderBy('at').orderBy('id').execute(),
    all.where('outcome', 'in', ['confirmed', 'refused']).orderBy('ended_at', 'desc').limit(SHOWN).execute(),
  ]);
  const [data, past] = await Promise.all([presentWaiting(ctx, waiting), present(ctx.db, ended)]);
  return {
    data,
    ended: past.map(({ act, row, endedBy }) => ({
      ...act,
      outcome: row.outcome === 'confirmed' ? 'confirmed' : 'refused',
      endedAt: (row.ended_at ?? row.at).toISOString(),
      endedBy,
    })),
  };
}

/** For the desk: how much of it there is. */
export async function countMoneyActs(db: Executor): Promise<{ count: number; since: Date | null }> {
  const rows = await db.query
    .selectFrom('money_acts')
    .select('at')
    .where('outcome', 'is', null)
    .orderBy('at')
    .execute();
  return { count: rows.length, since: rows[0]?.at ?? null };
}

/**
 * Confirms what another operator wants, which is done in the same transaction, or refuses it. Throws NOT_FOUND, CONFLICT (decided
 * already, one's own, too new at the desk, wanted by who may not any more, not possible any more), FORBIDDEN with the reason.
 */
export async function decideMoneyAct(
  ctx: Context,
  actor: Pick<Actor, 'userId' | 'roles'>,
  id: string,
  { decision, ground }: BodyOf<typeof decideRoute>,
): Promise<AnswerOf<typeof listMoneyActs>> {
  const found = await ctx.db.query.selectFrom('money_acts').selectAll().where('id', '=', id).executeTakeFirst();
  if (!found || found.outcome === 'passed') throw new AppError('NOT_FOUND');
  const kind = z.parse(z.enum(MONEY_ACT_KINDS), found.kind);
  const room = roomsOf.get(ctx)?.get(kind);
  if (!room) throw new Error(`nobody does ${kind}`);
  const isConfirmed = decision === 'confirm';
  await ctx.db.transaction(async (tx) => {
    await lockMoneyActs(tx);
    await room.lock(tx, found.subject_id);
    const row = await tx.query
      .updateTable('money_acts')
      .set({ outcome: isConfirmed ? 'confirmed' : 'refused', ended_at: ctx.clock.now(), ended_by: actor.userId })
      .where('id', '=', id)
      .where('outcome', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw new AppError('CONFLICT', { message: 'This was decided already.' });
    if (isConfirmed) {
      const { subject_id: subjectId, cents, wish, ground: why, operator_id: askedBy } = row;
      // Whoever asks for money confirms it for others, too: it is the same right.
      await requireTwo(ctx, tx, { askedBy, confirmer: actor.userId, route: decideRoute });
      await room.perform(tx, { subjectId, cents, wish, ground: why, askedBy, confirmer: actor });
    }
    await noteDecided(ctx, tx, row, { decision, by: actor.userId, ground });
  });
  return viewMoneyActs(ctx);
}

type Decided = { decision: BodyOf<typeof decideRoute>['decision']; by: string | null; ground: string };

function noteDecided(ctx: Tools, tx: Transaction, row: Row, { decision, by, ground }: Decided): Promise<void> {
  return noteAct(ctx, tx, {
    operatorId: by,
    act: `moneyAct.${decision}`,
    subjectKind: 'moneyAct',
    subjectId: row.id,
    facts: { kind: row.kind, about: row.about, cents: row.cents, askedBy: row.operator_id, ground },
  });
}

/**
 * Ends what waits about something that is over, as refused by whoever ended that, whose ground is noted.
 * What it is about is locked by the caller.
 */
export async function endMoneyAct(
  ctx: Tools,
  tx: Transaction,
  { kind, subjectId, by, ground }: { kind: MoneyActKind; subjectId: string; by: string | null; ground: string },
): Promise<void> {
  const row = await tx.query
    .updateTable('money_acts')
    .set({ outcome: 'refused', ended_at: ctx.clock.now(), ended_by: by })
    .where('kind', '=', kind)
    .where('subject_id', '=', subjectId)
    .where('outcome', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (row) await noteDecided(ctx, tx, row, { decision: 'refuse', by, ground });
}
