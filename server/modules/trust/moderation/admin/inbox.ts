/** The cost of pages and counts does not grow with the number of cases. */

import type { CASE_VIEWS, countCases, listCases } from '@stagedoor/contract/admin/cases.ts';
import { canOperatorReadQueue } from '@stagedoor/contract/admin/operator-rights.ts';
import { createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import { CASE_QUEUES, type CaseQueue } from '@stagedoor/contract/trust/case-kinds.ts';
import type { Context } from '../../../../platform/context.ts';
import type { Executor, SqlStatement } from '../../../../platform/database/db.ts';
import { LAST_ID, parseOffset, toCursor } from '../../../../platform/database/pagination.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { findUserByName } from '../../../identity/accounts/index.ts';
import { type CaseRow, findDecidedCaseIds, toCaseRow } from '../store.ts';
import * as texts from '../texts.ts';
import { presentInboxCases } from './present.ts';

type InboxView = (typeof CASE_VIEWS)[number];
type InboxQuery = QueryOf<typeof listCases>;

const ORDERS: Readonly<Record<InboxView, { by: 'due_at' | 'changed_at' | 'closed_at'; isUp: boolean }>> = {
  open: { by: 'due_at', isUp: true },
  mine: { by: 'due_at', isUp: true },
  unassigned: { by: 'due_at', isUp: true },
  waiting: { by: 'changed_at', isUp: false },
  closed: { by: 'closed_at', isUp: false },
};
const STATES: Readonly<Record<InboxView, CaseRow['state']>> = {
  open: 'open',
  mine: 'open',
  unassigned: 'open',
  waiting: 'waiting',
  closed: 'closed',
};

export const listReadableQueues = ({ roles = [] }: Actor) =>
  CASE_QUEUES.filter((queue) => canOperatorReadQueue(roles, queue));

type InboxCursor = { at: Date; id: string };

/** Parses the cursor of a page. Throws VALIDATION. */
function parseCursor(after: string): InboxCursor {
  const [ms = '', id = ''] = after.split(' ');
  if (!/^\d{1,14}$/.test(ms) || !isId(id)) throw createFieldError('offset', texts.invalidOffset);
  return { at: new Date(Number(ms)), id };
}

/** The queues are in the SQL text, because a small queue needs another query plan than a full one. */
async function readInboxView(
  db: Executor,
  actor: Actor,
  { view, queue, limit, offset }: InboxQuery,
): Promise<CaseRow[]> {
  const { skip, after } = parseOffset(offset);
  const { by, isUp } = ORDERS[view];
  const values: unknown[] = [skip, limit + 1];
  const add = (value: unknown) => `$${values.push(value)}`;
  const conditions = [`state = '${STATES[view]}'`];
  const queues = listReadableQueues(actor).filter((one) => queue === undefined || one === queue);
  if (queues.length === 0) return [];
  const isAll = queues.length === CASE_QUEUES.length;
  if (!isAll) conditions.push(`queue in (${queues.map((one) => `'${one}'`).join(', ')})`);
  if (view === 'mine') conditions.push(`assigned_to = ${add(actor.userId)}::uuid`);
  if (view === 'unassigned') conditions.push('assigned_to is null');
  if (after !== undefined) {
    const { at, id } = parseCursor(after);
    conditions.push(`(${by}, id) ${isUp ? '>' : '<'} (${add(at)}::timestamptz, ${add(id)}::uuid)`);
  }
  const order = isUp ? `${by}, id` : `${by} desc, id desc`;
  const name = `cases-${view}${isAll ? '' : `-${queues.join('-')}`}${after === undefined ? '' : '-after'}`;
  const text = `select * from cases where ${conditions.join(' and ')} order by ${order} offset $1::int limit $2::int`;
  return (await db.run<Parameters<typeof toCaseRow>[0]>({ name, text }, values)).map(toCaseRow);
}

const toNewestSql = (condition: string) =>
  `(select id from cases where ${condition} and queue = any ($5::text[]) and id < $6::uuid order by id desc limit $7::int + $8::int)`;
const SEARCH: SqlStatement = {
  name: 'moderation-found',
  text: `with found as (${[
    'reference = $1',
    'id = any ($2::uuid[])',
    'user_id = $3::uuid',
    'from_id = $3::uuid',
    "from_email = $4 and from_email <> ''",
  ]
    .map(toNewestSql)
    .join(' union ')} order by id desc offset $7::int limit $8::int)
    select c.* from found cross join lateral (select * from cases where id = found.id offset 0) c order by c.id desc`,
};

/**
 * Finds cases by reference, by the number of a decision, or by user or address. Each condition reads at most one page
 * by its own index.
 */
export async function searchInbox(
  db: Executor,
  actor: Actor,
  q: string,
  { limit, offset }: InboxQuery,
): Promise<CaseRow[]> {
  const { skip, after } = parseOffset(offset);
  const before = after === undefined ? LAST_ID : parseCursor(after).id;
  const reference = q.toUpperCase();
  const user = await findUserByName(db, q.replace(/^@/, ''));
  const decidedCaseIds = await findDecidedCaseIds(db, reference);
  const address = q.includes('@') && !q.startsWith('@') ? q : null;
  const searchValues = [reference, decidedCaseIds, user?.id ?? null, address];
  const rows = await db.run<Parameters<typeof toCaseRow>[0]>(SEARCH, [
    ...searchValues,
    listReadableQueues(actor),
    before,
    skip,
    limit + 1,
  ]);
  return rows.map(toCaseRow);
}

export async function getInboxPage(
  ctx: Context,
  actor: Actor,
  query: InboxQuery,
): Promise<ResponseInputOf<typeof listCases>> {
  const isSearch = query.q !== undefined && query.q !== '';
  const rows = isSearch
    ? await searchInbox(ctx.db, actor, query.q ?? '', query)
    : await readInboxView(ctx.db, actor, query);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const at = last?.[ORDERS[query.view].by] ?? last?.opened_at;
  return {
    data: await presentInboxCases(ctx.db, page, ctx.clock.now()),
    limit: query.limit,
    ...(rows.length > query.limit && last && at ? { nextOffset: toCursor(`${at.getTime()} ${last.id}`) } : {}),
  };
}

const COUNT: SqlStatement = {
  name: 'moderation-count',
  text: `select q.queue, (select count(*)::int from (select from cases c where c.state = 'open' and c.queue = q.queue limit $2) n) as count
    from unnest($1::text[]) q (queue)`,
};
const COUNT_OWN: SqlStatement = {
  name: 'moderation-count-of',
  text: `select (select count(*)::int from (select from cases where state = 'open' and assigned_to = $1 and queue = any ($3::text[]) limit $2) n) as mine,
    (select count(*)::int from (select from cases where state = 'open' and assigned_to is null and queue = any ($3::text[]) limit $2) n) as unassigned`,
};

export async function countInboxCases({ db }: Context, actor: Actor): Promise<ResponseInputOf<typeof countCases>> {
  const [counts, own] = await Promise.all([
    db.run<{ queue: string; count: number }>(COUNT, [listReadableQueues(actor), CASE_LIMITS.countMax]),
    db.run<{ mine: number; unassigned: number }>(COUNT_OWN, [
      actor.userId,
      CASE_LIMITS.countMax,
      listReadableQueues(actor),
    ]),
  ]);
  return {
    queues: listReadableQueues(actor).map((queue) => ({
      queue,
      count: counts.find((one) => one.queue === queue)?.count ?? 0,
    })),
    mine: own[0]?.mine ?? 0,
    unassigned: own[0]?.unassigned ?? 0,
  };
}

const WAITING: SqlStatement = {
  name: 'moderation-waiting',
  text: `select (select count(*)::int from (select from cases where state = 'open' and queue = any ($2::text[]) limit $1) n) as count,
    (select opened_at from cases where state = 'open' and queue = any ($2::text[]) order by due_at, id limit 1) as since`,
};

type WaitingCases = { count: number; since: Date | null };
async function countWaiting(db: Executor, queues: readonly CaseQueue[]): Promise<WaitingCases> {
  const [row] = await db.run<WaitingCases>(WAITING, [CASE_LIMITS.countMax, queues]);
  return row ?? { count: 0, since: null };
}

const OTHER_QUEUES = CASE_QUEUES.filter((queue) => queue !== 'refunds' && queue !== 'copyright');

/** Counts up to a limit. `since` is when the case that is due first was opened. */
export const countOpenCases = (db: Executor): Promise<WaitingCases> => countWaiting(db, OTHER_QUEUES);
export const countRefunds = (db: Executor): Promise<WaitingCases> => countWaiting(db, ['refunds']);
/** The count includes counter-notices that are due for restoring. */
export const countCopyright = (db: Executor): Promise<WaitingCases> => countWaiting(db, ['copyright']);
