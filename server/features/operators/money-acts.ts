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
import { isAlone, requireCounts } from './two.ts';

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
export type MoneyActRoom = {
  /** Locks what it is about, before anything else is. Throws NOT_FOUND when that is gone. */
  lock(tx: Transaction, subjectId: string): Promise<unknown>;
  /** Throws CONFLICT or FORBIDDEN when it cannot be done any more, or not with this confirmer. */
  perform(tx: Transaction, act: Confirmed): Promise<void>;
};
/** What a room needs to ask. */
type Tools = Pick<Context, 'clock'>;

const limitsOf = new WeakMap<object, (db: Executor) => Promise<number>>();

/** Says, in cents, what one operator lets go of alone within 24 hours: the limit above which two approve a payout. */
export function keepMoneyLimit(ctx: Context, limitOf: (db: Executor) => Promise<number>): void {
  limitsOf.set(ctx, limitOf);
}

const roomsOf = new WeakMap<Context, Map<MoneyActKind, MoneyActRoom>>();

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
 * locked by the caller. `facts` belong into the audit log. Throws CONFLICT when something else of it waits already, or for who is too
 * new at the desk to be one of two.
 */
export async function letGo(
  ctx: Tools,
  tx: Transaction,
  { kind, subjectId, about, cents, wish, operatorId, ground }: Letting,
): Promise<{ waits: boolean; isNew: boolean; facts: { alone?: true } }> {
  await tx.run(ONE_AFTER_ANOTHER, []);
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

/** What waits about some things of a kind, by their ids. */
export async function waitingOf(
  db: Executor,
  kind: MoneyActKind,
  subjectIds: readonly string[],
): Promise<Map<string, z.input<typeof moneyAct>>> {
  if (subjectIds.length === 0) return new Map();
  const rows = await db.query
    .selectFrom('money_acts')
    .selectAll()
    .where('kind', '=', kind)
    .where('subject_id', 'in', subjectIds)
    .where('outcome', 'is', null)
    .execute();
  return new Map((await present(db, rows)).map(({ act }) => [act.subjectId, act]));
}

export async function viewMoneyActs({ db }: Pick<Context, 'db'>): Promise<AnswerOf<typeof listMoneyActs>> {
  const all = db.query.selectFrom('money_acts').selectAll();
  const [waiting, ended] = await Promise.all([
    all.where('outcome', 'is', null).orderBy('at').orderBy('id').execute(),
    all.where('outcome', 'in', ['confirmed', 'refused']).orderBy('ended_at', 'desc').limit(SHOWN).execute(),
  ]);
  const [data, past] = await Promise.all([present(db, waiting), present(db, ended)]);
  return {
    data: data.map(({ act }) => act),
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
 * already, one's own, too new at the desk, not possible any more), FORBIDDEN with the reason.
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
      if (row.operator_id === actor.userId)
        throw new AppError('CONFLICT', { message: 'You asked for it yourself: another operator confirms it.' });
      await requireCounts(ctx, tx, actor.userId);
      const { subject_id: subjectId, cents, wish, ground: why, operator_id: askedBy } = row;
      await room.perform(tx, { subjectId, cents, wish, ground: why, askedBy, confirmer: actor });
    }
    await noteAct(ctx, tx, {
      operatorId: actor.userId,
      act: `moneyAct.${decision}`,
      subjectKind: 'moneyAct',
      subjectId: id,
      facts: { kind, about: row.about, cents: row.cents, askedBy: row.operator_id, ground },
    });
  });
  return viewMoneyActs(ctx);
}
