/** The cost of pages and counts does not grow with the number of cases. */
import { invalid } from '@stagedoor/contract/atoms/errors.ts';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import { CASES } from '@stagedoor/contract/atoms/room-limits.ts';
import type { AnswerOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import { CASE_QUEUES, type CaseQueue } from '@stagedoor/contract/case-kinds.ts';
import type { CASE_VIEWS, countCases, listCases } from '@stagedoor/contract/cases-desk.ts';
import { operatorReadsQueue } from '@stagedoor/contract/operator-rights.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Executor, Statement } from '../../../kernel/db.ts';
import { cursorOf, LAST_ID, readOffset } from '../../../kernel/offset.ts';
import type { Actor } from '../../../kernel/session.ts';
import { findNamed } from '../../accounts/index.ts';
import { type CaseRow, casesDecided, readRow } from '../store.ts';
import { presentLines } from './present.ts';

type View = (typeof CASE_VIEWS)[number];
type Query = QueryOf<typeof listCases>;

const ORDERS: Readonly<Record<View, { by: 'due_at' | 'changed_at' | 'closed_at'; isUp: boolean }>> = {
  open: { by: 'due_at', isUp: true },
  mine: { by: 'due_at', isUp: true },
  nobodys: { by: 'due_at', isUp: true },
  waiting: { by: 'changed_at', isUp: false },
  closed: { by: 'closed_at', isUp: false },
};
const STATES: Readonly<Record<View, CaseRow['state']>> = {
  open: 'open',
  mine: 'open',
  nobodys: 'open',
  waiting: 'waiting',
  closed: 'closed',
};

export const queuesOf = ({ roles = [] }: Actor) => CASE_QUEUES.filter((queue) => operatorReadsQueue(roles, queue));

type Place = { at: Date; id: string };

/** Parses the cursor of a page. Throws VALIDATION. */
function placeOf(after: string): Place {
  const [ms = '', id = ''] = after.split(' ');
  if (!/^\d{1,14}$/.test(ms) || !isId(id)) throw invalid('offset', 'Invalid offset');
  return { at: new Date(Number(ms)), id };
}

/** The queues are in the SQL text, because a small queue needs another query plan than a full one. */
async function readView(db: Executor, actor: Actor, { view, queue, limit, offset }: Query): Promise<CaseRow[]> {
  const { skip, after } = readOffset(offset);
  const { by, isUp } = ORDERS[view];
  const values: unknown[] = [skip, limit + 1];
  const add = (value: unknown) => `$${values.push(value)}`;
  const conditions = [`state = '${STATES[view]}'`];
  const queues = queuesOf(actor).filter((one) => queue === undefined || one === queue);
  if (queues.length === 0) return [];
  const isAll = queues.length === CASE_QUEUES.length;
  if (!isAll) conditions.push(`queue in (${queues.map((one) => `'${one}'`).join(', ')})`);
  if (view === 'mine') conditions.push(`assigned_to = ${add(actor.userId)}::uuid`);
  if (view === 'nobodys') conditions.push('assigned_to is null');
  if (after !== undefined) {
    const { at, id } = placeOf(after);
    conditions.push(`(${by}, id) ${isUp ? '>' : '<'} (${add(at)}::timestamptz, ${add(id)}::uuid)`);
  }
  const order = isUp ? `${by}, id` : `${by} desc, id desc`;
  const name = `cases-${view}${isAll ? '' : `-${queues.join('-')}`}${after === undefined ? '' : '-after'}`;
  const text = `select * from cases where ${conditions.join(' and ')} order by ${order} offset $1::int limit $2::int`;
  return (await db.run<Parameters<typeof readRow>[0]>({ name, text }, values)).map(readRow);
}

const newest = (condition: string) =>
  `(select id from cases where ${condition} and queue = any ($5::text[]) and id < $6::uuid order by id desc limit $7::int + $8::int)`;
const FOUND: Statement = {
  name: 'cases-found',
  text: `with found as (${[
    'reference = $1',
    'id = any ($2::uuid[])',
    'person_id = $3::uuid',
    'from_id = $3::uuid',
    "from_email = $4 and from_email <> ''",
  ]
    .map(newest)
    .join(' union ')} order by id desc offset $7::int limit $8::int)
    select c.* from found cross join lateral (select * from cases where id = found.id offset 0) c order by c.id desc`,
};

/**
 * Finds cases by reference, by the number of a decision, or by user or address. Each condition reads at most one page
 * by its own index.
 */
export async function readFound(db: Executor, actor: Actor, q: string, { limit, offset }: Query): Promise<CaseRow[]> {
  const { skip, after } = readOffset(offset);
  const before = after === undefined ? LAST_ID : placeOf(after).id;
  const reference = q.toUpperCase();
  const person = await findNamed(db, q.replace(/^@/, ''));
  const decided = await casesDecided(db, reference);
  const address = q.includes('@') && !q.startsWith('@') ? q : null;
  const ways = [reference, decided, person?.id ?? null, address];
  const rows = await db.run<Parameters<typeof readRow>[0]>(FOUND, [...ways, queuesOf(actor), before, skip, limit + 1]);
  return rows.map(readRow);
}

export async function listInbox(ctx: Context, actor: Actor, query: Query): Promise<AnswerOf<typeof listCases>> {
  const isSearch = query.q !== undefined && query.q !== '';
  const rows = isSearch ? await readFound(ctx.db, actor, query.q ?? '', query) : await readView(ctx.db, actor, query);
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  const at = last?.[ORDERS[query.view].by] ?? last?.opened_at;
  return {
    data: await presentLines(ctx.db, shown, ctx.clock.now()),
    limit: query.limit,
    ...(rows.length > query.limit && last && at ? { nextOffset: cursorOf(`${at.getTime()} ${last.id}`) } : {}),
  };
}

const COUNT: Statement = {
  name: 'cases-count',
  text: `select q.queue, (select count(*)::int from (select from cases c where c.state = 'open' and c.queue = q.queue limit $2) n) as count
    from unnest($1::text[]) q (queue)`,
};
const COUNT_OF: Statement = {
  name: 'cases-count-of',
  text: `select (select count(*)::int from (select from cases where state = 'open' and assigned_to = $1 and queue = any ($3::text[]) limit $2) n) as mine,
    (select count(*)::int from (select from cases where state = 'open' and assigned_to is null and queue = any ($3::text[]) limit $2) n) as nobodys`,
};

export async function countInbox({ db }: Context, actor: Actor): Promise<AnswerOf<typeof countCases>> {
  const [counts, of] = await Promise.all([
    db.run<{ queue: string; count: number }>(COUNT, [queuesOf(actor), CASES.counted]),
    db.run<{ mine: number; nobodys: number }>(COUNT_OF, [actor.userId, CASES.counted, queuesOf(actor)]),
  ]);
  return {
    queues: queuesOf(actor).map((queue) => ({ queue, count: counts.find((one) => one.queue === queue)?.count ?? 0 })),
    mine: of[0]?.mine ?? 0,
    nobodys: of[0]?.nobodys ?? 0,
  };
}

const WAITING: Statement = {
  name: 'cases-waiting',
  text: `select (select count(*)::int from (select from cases where state = 'open' and queue = any ($2::text[]) limit $1) n) as count,
    (select opened_at from cases where state = 'open' and queue = any ($2::text[]) order by due_at, id limit 1) as since`,
};

type Waiting = { count: number; since: Date | null };
async function countWaiting(db: Executor, queues: readonly CaseQueue[]): Promise<Waiting> {
  const [row] = await db.run<Waiting>(WAITING, [CASES.counted, queues]);
  return row ?? { count: 0, since: null };
}

const OTHERS = CASE_QUEUES.filter((queue) => queue !== 'refunds' && queue !== 'copyright');

/** Counts up to a limit. `since` is when the case that is due first was opened. */
export const countOpenCases = (db: Executor): Promise<Waiting> => countWaiting(db, OTHERS);
export const countRefunds = (db: Executor): Promise<Waiting> => countWaiting(db, ['refunds']);
/** The count includes counter-notices that are due for restoring. */
export const countCopyright = (db: Executor): Promise<Waiting> => countWaiting(db, ['copyright']);
