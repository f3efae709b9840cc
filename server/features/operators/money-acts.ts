/**
 * Giving money away above a limit needs a second operator. Modules call `letGo` first and register with
 * `registerMoneyAct` what happens once it is confirmed. Amounts that one operator passed alone add up for a day, so
 * that splitting does not avoid the limit.
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
const SHOWN = 20;

export type Confirmed = {
  subjectId: string;
  cents: number;
  wish: unknown;
  ground: string;
  askedBy: string;
  confirmer: Pick<Actor, 'userId' | 'roles'>;
};
type Shown = Pick<z.input<typeof moneyAct>, 'sales' | 'queue'>;
const NOTHING_SHOWN: Shown = { sales: [], queue: null };
export type MoneyActRoom = {
  /** Locks the subject, before any other lock of the module. Throws NOT_FOUND when it is gone. */
  lock(tx: Transaction, subjectId: string): Promise<unknown>;
  /** Throws CONFLICT or FORBIDDEN when it is no longer possible, or not with this confirming operator. */
  perform(tx: Transaction, act: Confirmed): Promise<void>;
  /** Returns details in the order of `acts`. */
  show?(db: Executor, acts: readonly Pick<Confirmed, 'subjectId' | 'wish'>[]): Promise<Shown[]>;
};
type Tools = Pick<Context, 'clock'>;

const limitsOf = new WeakMap<object, (db: Executor) => Promise<number>>();

/** Registers the limit in cents for one operator within 24 hours. */
export function keepMoneyLimit(ctx: Context, limitOf: (db: Executor) => Promise<number>): void {
  limitsOf.set(ctx, limitOf);
}

const roomsOf = new WeakMap<object, Map<MoneyActKind, MoneyActRoom>>();

/** Each kind can be registered once. */
export function registerMoneyAct(ctx: Context, kind: MoneyActKind, room: MoneyActRoom): void {
  const rooms = roomsOf.get(ctx) ?? new Map<MoneyActKind, MoneyActRoom>();
  if (rooms.has(kind)) throw new Error(`${kind} is registered twice`);
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
 * This must be the first lock of the transaction, before the case, the processor event or the wallet, to avoid
 * deadlocks.
 */
export async function lockMoneyActs(tx: Transaction): Promise<void> {
  await tx.run(ONE_AFTER_ANOTHER, []);
}

const PASSED: Statement = {
  name: 'money-acts-passed',
  text: `select coalesce(sum(cents), 0)::bigint as cents from money_acts where outcome = 'passed' and at > $1 and operator_id = $2`,
};
/** Values are compared as jsonb, which ignores the order of keys. */
const SAME: Statement = {
  name: 'money-acts-same',
  text: `select operator_id = $3 and wish = $4::jsonb as "isSame" from money_acts where kind = $1 and subject_id = $2 and outcome is null`,
};

/**
 * Returns whether the action waits for a second operator. `isNew` is true for the first request. The caller locks the
 * subject, after {@link lockMoneyActs}. `facts` belong in the audit log. Throws CONFLICT when another request is
 * pending or the operator's roles are too new.
 */
export async function letGo(
  ctx: Tools,
  tx: Transaction,
  { kind, subjectId, about, cents, wish, operatorId, ground }: Letting,
): Promise<{ waits: boolean; isNew: boolean; facts: { alone?: true } }> {
  const limitOf = limitsOf.get(ctx);
  if (!limitOf) throw new Error('no limit for a single operator is registered');
  const { clock } = ctx;
  const now = clock.now();
  const [waiting] = await tx.run<{ isSame: boolean }>(SAME, [kind, subjectId, operatorId, JSON.stringify(wish)]);
  if (waiting?.isSame) return { waits: true, isNew: false, facts: {} };
  if (waiting) throw new AppError('CONFLICT', { message: 'Part of this is already awaiting second approval.' });
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
 * Confirming carries the request out in the same transaction. Throws NOT_FOUND, CONFLICT (already decided, the
 * operator's own, roles too new, the requester has lost the right, no longer possible), FORBIDDEN with the reason.
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
  if (!room) throw new Error(`no handler is registered for ${kind}`);
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
      // Requesting and confirming require the same right.
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

/** Refuses the pending request when its subject has ended. The caller locks the subject. */
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
