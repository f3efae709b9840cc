import type { Rail } from '@stagedoor/contract/payout-desk.ts';
import type { Insertable, Selectable } from 'kysely';
import type { Executor, Statement, Tables } from '../../kernel/db.ts';
import type { Payee } from './gates.ts';
import type { MethodRow, RequestRow } from './store.ts';

/** Returns false when the operator had already approved it. */
export async function addApproval(tx: Executor, payoutId: string, operatorId: string, at: Date): Promise<boolean> {
  const made = await tx.query
    .insertInto('payout_approvals')
    .values({ payout_id: payoutId, operator_id: operatorId, at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('payout_id')
    .executeTakeFirst();
  return made !== undefined;
}

export async function approvalsOf(db: Executor, payoutIds: readonly string[]) {
  if (payoutIds.length === 0) return [];
  return db.query
    .selectFrom('payout_approvals')
    .selectAll()
    .where('payout_id', 'in', payoutIds)
    .orderBy('at')
    .execute();
}

const ALONE: Statement = {
  name: 'payouts-approved-alone',
  text: `select coalesce(sum(p.amount_cents), 0)::bigint as cents from payout_approvals a join payouts p on p.id = a.payout_id
    where ($1::uuid[] is null or a.operator_id = any ($1)) and p.user_id = $2 and a.at > $3 and (p.status in ('approved', 'transfered') or p.sent_id is not null)
      and not exists (select from payout_approvals o where o.payout_id = p.id and o.operator_id <> a.operator_id and not o.operator_id = any ($4::uuid[]))`,
};
const ONE_BY_ONE: Statement = {
  name: 'payouts-approve-one-by-one',
  text: `select pg_advisory_xact_lock(hashtextextended('approve ' || $1, 0))`,
};

/**
 * Returns the cents that an operator approved alone for a user since a time, whatever happened to them later. New
 * operators do not count as second approvers, so their approvals are added to those of every operator, and everyone's
 * to theirs. Serializes approvals for the same user until the transaction ends.
 */
export async function approvedAlone(
  tx: Executor,
  { operatorId, userId, since, areNew }: { operatorId: string; userId: string; since: Date; areNew: readonly string[] },
): Promise<number> {
  await tx.run(ONE_BY_ONE, [userId]);
  const operatorIds = areNew.includes(operatorId) ? null : [operatorId, ...areNew];
  return (await tx.run<{ cents: number }>(ALONE, [operatorIds, userId, since, areNew]))[0]?.cents ?? 0;
}

export async function invalidateMethod(tx: Executor, id: string, code: string, at: Date): Promise<void> {
  await tx.query
    .updateTable('payout_methods')
    .set({ invalid_at: at, invalid_code: code })
    .where('id', '=', id)
    .where('invalid_at', 'is', null)
    .execute();
}

export async function methodsById(db: Executor, ids: readonly string[]): Promise<Map<string, MethodRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query.selectFrom('payout_methods').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export async function markSent(
  tx: Executor,
  id: string,
  { batchId, sentId, at }: { batchId: string; sentId: string; at: Date },
): Promise<void> {
  await tx.query
    .updateTable('payouts')
    .set({ batch_id: batchId, sent_id: sentId, refused_batch_id: null, updated_at: at })
    .where('id', '=', id)
    .execute();
}

export async function markUnsent(tx: Executor, id: string, { batchId, at }: { batchId: string; at: Date }) {
  await tx.query
    .updateTable('payouts')
    .set({ batch_id: null, sent_id: null, reference: null, refused_batch_id: batchId, updated_at: at })
    .where('id', '=', id)
    .execute();
}

export async function markPaid(tx: Executor, id: string, paidId: string): Promise<void> {
  await tx.query.updateTable('payouts').set({ paid_id: paidId }).where('id', '=', id).execute();
}

export async function setReference(tx: Executor, id: string, reference: string | null): Promise<void> {
  await tx.query.updateTable('payouts').set({ reference }).where('id', '=', id).execute();
}

const requestsOf = (db: Executor) =>
  db.query
    .selectFrom('payouts as p')
    .innerJoin('payout_methods as m', 'm.id', 'p.method_id')
    .selectAll('p')
    .select(['m.kind', 'm.rail', 'm.words', 'm.network', 'm.invalid_at']);

export function approvedOf(db: Executor, rail: Rail, most: number): Promise<RequestRow[]> {
  return approved(db, rail, most).execute();
}
export function lockApproved(tx: Executor, rail: Rail, most: number): Promise<RequestRow[]> {
  return approved(tx, rail, most).forUpdate('p').execute();
}
const approved = (db: Executor, rail: Rail, most: number) =>
  requestsOf(db)
    .where('m.rail', '=', rail)
    .where('p.status', '=', 'approved')
    .where('p.batch_id', 'is', null)
    .orderBy('p.number')
    .limit(most);

export async function ofBatch(db: Executor, batchId: string): Promise<RequestRow[]> {
  return requestsOf(db).where('p.batch_id', '=', batchId).orderBy('p.number').execute();
}

/** Locks the requests of a batch in order and before any account, as status reports do. */
export async function lockRequestsOf(tx: Executor, batchId: string): Promise<string[]> {
  const of = tx.query.selectFrom('payouts').select('id').where('batch_id', '=', batchId);
  return (await of.orderBy('number').forUpdate().execute()).map(({ id }) => id);
}

const BATCHES: Statement = {
  name: 'payouts-batches-alone',
  text: `select pg_advisory_xact_lock(hashtext('payout batches'))`,
};

export async function lockBatches(tx: Executor): Promise<void> {
  await tx.run(BATCHES, []);
}

export async function countFilesOn(tx: Executor, at: Date): Promise<number> {
  const day = new Date(`${at.toISOString().slice(0, 10)}T00:00:00.000Z`);
  const { count } = await tx.query
    .selectFrom('payout_batches')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('rail', '=', 'ach')
    .where('created_at', '>=', day)
    .where('created_at', '<', new Date(day.getTime() + 24 * 60 * 60_000))
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertBatch(tx: Executor, row: Insertable<Tables['payout_batches']>): Promise<void> {
  await tx.query.insertInto('payout_batches').values(row).execute();
}

export async function findBatch(db: Executor, id: string): Promise<Selectable<Tables['payout_batches']> | undefined> {
  return db.query.selectFrom('payout_batches').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function findBatchByRef(
  db: Executor,
  ref: string,
): Promise<Selectable<Tables['payout_batches']> | undefined> {
  return db.query.selectFrom('payout_batches').selectAll().where('provider_ref', '=', ref).executeTakeFirst();
}

export type BatchRow = Selectable<Tables['payout_batches']>;

export async function listBatches(
  db: Executor,
  page: { limit: number; skip: number },
  id?: string,
): Promise<{ rows: BatchRow[]; total: number }> {
  let of = db.query.selectFrom('payout_batches as b');
  if (id !== undefined) of = of.where('b.id', '=', id);
  const [rows, { total }] = await Promise.all([
    of.selectAll('b').orderBy('b.id', 'desc').limit(page.limit).offset(page.skip).execute(),
    of.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

/** Stores the result of the handover unless a result is known. Returns whether it was stored. */
export async function setBatch(
  db: Executor,
  id: string,
  { state, ref, detail, at }: { state: 'unknown' | 'sent'; ref: string | null; detail: string | null; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db.query
    .updateTable('payout_batches')
    .set({ state, provider_ref: ref, detail, tried_at: at })
    .where('id', '=', id)
    .where('state', 'in', ['sending', 'unknown'])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Counts a handover attempt before it is made. Returns false when the result is already known. */
export async function countAsked(db: Executor, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db.query
    .updateTable('payout_batches')
    .set((one) => ({ unanswered_count: one('unanswered_count', '+', one.lit(1)) }))
    .where('id', '=', id)
    .where('state', 'in', ['sending', 'unknown'])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function countAnswered(db: Executor, id: string): Promise<void> {
  await db.query
    .updateTable('payout_batches')
    .set((one) => ({ unanswered_count: one('unanswered_count', '-', one.lit(1)) }))
    .where('id', '=', id)
    .execute();
}

/** Marks a batch as refused: during the handover only if every attempt was refused, or after it was accepted. */
export async function refuseBatch(
  tx: Executor,
  id: string,
  { after, detail, at }: { after: 'asking' | 'taken'; detail: string; at: Date },
): Promise<boolean> {
  const of = tx.query
    .updateTable('payout_batches')
    .set({ state: 'refused', detail, tried_at: at })
    .where('id', '=', id);
  const { numUpdatedRows } = await (after === 'taken'
    ? of.where('state', '=', 'sent')
    : of.where('state', 'in', ['sending', 'unknown']).where('unanswered_count', '=', 0)
  ).executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function openBatches(db: Executor) {
  return db.query
    .selectFrom('payout_batches as b')
    .selectAll('b')
    .where('b.rail', '=', 'paypal')
    .where('b.state', 'in', ['sending', 'unknown', 'sent'])
    .where((row) =>
      row.exists(
        row
          .selectFrom('payouts as p')
          .select('p.id')
          .whereRef('p.batch_id', '=', 'b.id')
          .where('p.status', '=', 'approved'),
      ),
    )
    .orderBy('b.id')
    .execute();
}

type Waiting = { count: number; since: Date | null };

const waiting = (db: Executor) =>
  db.query
    .selectFrom('payouts')
    .select((row) => [row.fn.countAll<number>().as('count'), row.fn.min<Date | null>('updated_at').as('since')]);

export async function countToApprove(db: Executor): Promise<Waiting> {
  return waiting(db).where('status', 'in', ['requested', 'inreview']).executeTakeFirstOrThrow();
}

export async function countToSend(db: Executor): Promise<Waiting> {
  return waiting(db).where('status', '=', 'approved').where('batch_id', 'is', null).executeTakeFirstOrThrow();
}

/** Counts batches with an unknown result, and refused batches whose requests wait to be sent again. */
export async function countUnsureBatches(db: Executor): Promise<Waiting> {
  return db.query
    .selectFrom('payout_batches as b')
    .select((row) => [row.fn.countAll<number>().as('count'), row.fn.min<Date | null>('b.created_at').as('since')])
    .where('b.rail', '=', 'paypal')
    .where((row) =>
      row.exists(
        row
          .selectFrom('payouts as p')
          .select('p.id')
          .where('p.status', '=', 'approved')
          .where((one) =>
            one.or([
              one.and([one('b.state', '=', 'unknown'), one('p.batch_id', '=', one.ref('b.id'))]),
              one('p.refused_batch_id', '=', one.ref('b.id')),
            ]),
          ),
      ),
    )
    .executeTakeFirstOrThrow();
}

const ruleColumns = ['user_id', 'source', 'method_id', 'recurrence', 'above_cents', 'refused_why'] as const;
const RULE: Statement = {
  name: 'payouts-rule',
  text: 'select user_id, source, method_id, recurrence, above_cents, refused_why, since::text as since, looked_on::text as looked_on, refused_on::text as refused_on from payout_rules where user_id = $1 and source = $2',
};
const LOCK_RULE: Statement = { name: 'payouts-rule-lock', text: `${RULE.text} for update` };

/** Days are `YYYY-MM-DD`. */
export type RuleRow = Pick<Selectable<Tables['payout_rules']>, (typeof ruleColumns)[number]> & {
  since: string;
  looked_on: string;
  refused_on: string | null;
};

export async function findRule(db: Executor, { userId, source }: Payee): Promise<RuleRow | undefined> {
  return (await db.run<RuleRow>(RULE, [userId, source]))[0];
}

export async function lockRule(tx: Executor, { userId, source }: Payee): Promise<RuleRow | undefined> {
  return (await tx.run<RuleRow>(LOCK_RULE, [userId, source]))[0];
}

const SET_RULE: Statement = {
  name: 'payouts-rule-set',
  text: `insert into payout_rules (user_id, source, method_id, recurrence, above_cents, since, looked_on) values ($1, $2, $3, $4, $5, $6::date, $6::date)
    on conflict (user_id, source) do update set method_id = excluded.method_id, recurrence = excluded.recurrence, above_cents = excluded.above_cents,
      since = excluded.since, looked_on = excluded.looked_on, refused_on = null, refused_why = null`,
};
const LOOKED: Statement = {
  name: 'payouts-rule-looked',
  text: 'update payout_rules set looked_on = $3::date where user_id = $1 and source = $2 and looked_on < $3::date',
};
const FOLLOWED: Statement = {
  name: 'payouts-rule-followed',
  text: `update payout_rules set looked_on = $3::date, refused_on = case when $4::text is not null then $3::date end, refused_why = $4
    where user_id = $1 and source = $2 and looked_on < $3::date`,
};

export async function setRule(
  tx: Executor,
  { userId, source }: Payee,
  rule: { methodId: string; recurrence: string | null; above: number | null; today: string },
): Promise<void> {
  await tx.run(SET_RULE, [userId, source, rule.methodId, rule.recurrence, rule.above, rule.today]);
}

export async function endRule(tx: Executor, { userId, source }: Payee): Promise<void> {
  await tx.query.deleteFrom('payout_rules').where('user_id', '=', userId).where('source', '=', source).execute();
}

export async function markLooked(tx: Executor, { userId, source }: Payee, today: string): Promise<void> {
  await tx.run(LOOKED, [userId, source, today]);
}

export async function markFollowed(
  tx: Executor,
  { userId, source }: Payee,
  today: string,
  refused: string | null,
): Promise<void> {
  await tx.run(FOLLOWED, [userId, source, today, refused]);
}

export async function moveRules(tx: Executor, fromMethod: string, toMethod: string): Promise<void> {
  await tx.query.updateTable('payout_rules').set({ method_id: toMethod }).where('method_id', '=', fromMethod).execute();
}

export async function hasRule(tx: Executor, methodId: string): Promise<boolean> {
  const of = tx.query.selectFrom('payout_rules').select('user_id').where('method_id', '=', methodId);
  return (await of.limit(1).executeTakeFirst()) !== undefined;
}

export async function rulesToLookAt(db: Executor, today: string): Promise<{ user_id: string; source: string }[]> {
  return db.run(
    {
      name: 'payouts-rules-to-look-at',
      text: 'select user_id, source from payout_rules where looked_on < $1::date order by user_id, source',
    },
    [today],
  );
}
