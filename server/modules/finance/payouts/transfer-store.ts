import type { PayoutRail } from '@stagedoor/contract/admin/payouts.ts';
import type { Insertable, Selectable } from 'kysely';
import type { Executor, SqlStatement, Tables } from '../../../platform/database/db.ts';
import type { Payee } from './eligibility.ts';
import type { MethodRow, RequestRow } from './store.ts';

export async function invalidateMethod(tx: Executor, id: string, code: string, at: Date): Promise<void> {
  await tx.query
    .updateTable('payout_methods')
    .set({ invalid_at: at, invalid_code: code })
    .where('id', '=', id)
    .where('invalid_at', 'is', null)
    .execute();
}

export async function loadMethodsById(db: Executor, ids: readonly string[]): Promise<Map<string, MethodRow>> {
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
    .set({ batch_id: batchId, sent_transaction_id: sentId, refused_batch_id: null, updated_at: at })
    .where('id', '=', id)
    .execute();
}

export async function markUnsent(tx: Executor, id: string, { batchId, at }: { batchId: string; at: Date }) {
  await tx.query
    .updateTable('payouts')
    .set({ batch_id: null, sent_transaction_id: null, reference: null, refused_batch_id: batchId, updated_at: at })
    .where('id', '=', id)
    .execute();
}

export async function markPaid(tx: Executor, id: string, paidId: string): Promise<void> {
  await tx.query.updateTable('payouts').set({ paid_transaction_id: paidId }).where('id', '=', id).execute();
}

export async function setReference(tx: Executor, id: string, reference: string | null): Promise<void> {
  await tx.query.updateTable('payouts').set({ reference }).where('id', '=', id).execute();
}

const selectRequests = (db: Executor) =>
  db.query
    .selectFrom('payouts as p')
    .innerJoin('payout_methods as m', 'm.id', 'p.method_id')
    .selectAll('p')
    .select(['m.kind', 'm.rail', 'm.label', 'm.network', 'm.invalid_at']);

export function listApproved(db: Executor, rail: PayoutRail, max: number): Promise<RequestRow[]> {
  return selectApproved(db, rail, max).execute();
}
export function lockApproved(tx: Executor, rail: PayoutRail, max: number): Promise<RequestRow[]> {
  return selectApproved(tx, rail, max).forUpdate('p').execute();
}
const selectApproved = (db: Executor, rail: PayoutRail, max: number) =>
  selectRequests(db)
    .where('m.rail', '=', rail)
    .where('p.status', '=', 'approved')
    .where('p.batch_id', 'is', null)
    .orderBy('p.number')
    .limit(max);

export async function listBatchRequests(db: Executor, batchId: string): Promise<RequestRow[]> {
  return selectRequests(db).where('p.batch_id', '=', batchId).orderBy('p.number').execute();
}

/** Locks the requests of a batch in order and before any account, as status reports do. */
export async function lockBatchRequests(tx: Executor, batchId: string): Promise<string[]> {
  const query = tx.query.selectFrom('payouts').select('id').where('batch_id', '=', batchId);
  return (await query.orderBy('number').forUpdate().execute()).map(({ id }) => id);
}

const LOCK_BATCHES: SqlStatement = {
  name: 'payouts-batches-alone',
  text: `select pg_advisory_xact_lock(hashtext('payout batches'))`,
};

export async function lockBatches(tx: Executor): Promise<void> {
  await tx.run(LOCK_BATCHES, []);
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
  let query = db.query.selectFrom('payout_batches as b');
  if (id !== undefined) query = query.where('b.id', '=', id);
  const [rows, { total }] = await Promise.all([
    query.selectAll('b').orderBy('b.id', 'desc').limit(page.limit).offset(page.skip).execute(),
    query.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
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
export async function countSubmitAttempt(db: Executor, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db.query
    .updateTable('payout_batches')
    .set((one) => ({ unanswered_count: one('unanswered_count', '+', one.lit(1)) }))
    .where('id', '=', id)
    .where('state', 'in', ['sending', 'unknown'])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function uncountSubmitAttempt(db: Executor, id: string): Promise<void> {
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
  { after, detail, at }: { after: 'submitting' | 'accepted'; detail: string; at: Date },
): Promise<boolean> {
  const query = tx.query
    .updateTable('payout_batches')
    .set({ state: 'refused', detail, tried_at: at })
    .where('id', '=', id);
  const { numUpdatedRows } = await (after === 'accepted'
    ? query.where('state', '=', 'sent')
    : query.where('state', 'in', ['sending', 'unknown']).where('unanswered_count', '=', 0)
  ).executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function listOpenBatches(db: Executor) {
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

type WaitingCount = { count: number; since: Date | null };

const selectWaiting = (db: Executor) =>
  db.query
    .selectFrom('payouts')
    .select((row) => [row.fn.countAll<number>().as('count'), row.fn.min<Date | null>('updated_at').as('since')]);

export async function countToApprove(db: Executor): Promise<WaitingCount> {
  return selectWaiting(db).where('status', 'in', ['requested', 'inreview']).executeTakeFirstOrThrow();
}

export async function countToSend(db: Executor): Promise<WaitingCount> {
  return selectWaiting(db).where('status', '=', 'approved').where('batch_id', 'is', null).executeTakeFirstOrThrow();
}

/** Counts batches with an unknown result, and refused batches whose requests wait to be sent again. */
export async function countUnsureBatches(db: Executor): Promise<WaitingCount> {
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

const ruleColumns = ['user_id', 'source', 'method_id', 'recurrence', 'threshold_cents', 'refusal_reason'] as const;
const RULE: SqlStatement = {
  name: 'payouts-rule',
  text: 'select user_id, source, method_id, recurrence, threshold_cents, refusal_reason, since::text as since, checked_on::text as checked_on, refused_on::text as refused_on from payout_schedules where user_id = $1 and source = $2',
};
const LOCK_RULE: SqlStatement = { name: 'payouts-rule-lock', text: `${RULE.text} for update` };

/** Days are `YYYY-MM-DD`. */
export type RuleRow = Pick<Selectable<Tables['payout_schedules']>, (typeof ruleColumns)[number]> & {
  since: string;
  checked_on: string;
  refused_on: string | null;
};

export async function findRule(db: Executor, { userId, source }: Payee): Promise<RuleRow | undefined> {
  return (await db.run<RuleRow>(RULE, [userId, source]))[0];
}

export async function lockRule(tx: Executor, { userId, source }: Payee): Promise<RuleRow | undefined> {
  return (await tx.run<RuleRow>(LOCK_RULE, [userId, source]))[0];
}

const SET_RULE: SqlStatement = {
  name: 'payouts-rule-set',
  text: `insert into payout_schedules (user_id, source, method_id, recurrence, threshold_cents, since, checked_on) values ($1, $2, $3, $4, $5, $6::date, $6::date)
    on conflict (user_id, source) do update set method_id = excluded.method_id, recurrence = excluded.recurrence, threshold_cents = excluded.threshold_cents,
      since = excluded.since, checked_on = excluded.checked_on, refused_on = null, refusal_reason = null`,
};
const MARK_CHECKED: SqlStatement = {
  name: 'payouts-rule-mark-checked',
  text: 'update payout_schedules set checked_on = $3::date where user_id = $1 and source = $2 and checked_on < $3::date',
};
const MARK_RUN: SqlStatement = {
  name: 'payouts-rule-followed',
  text: `update payout_schedules set checked_on = $3::date, refused_on = case when $4::text is not null then $3::date end, refusal_reason = $4
    where user_id = $1 and source = $2 and checked_on < $3::date`,
};

export async function setRule(
  tx: Executor,
  { userId, source }: Payee,
  rule: { methodId: string; recurrence: string | null; threshold: number | null; today: string },
): Promise<void> {
  await tx.run(SET_RULE, [userId, source, rule.methodId, rule.recurrence, rule.threshold, rule.today]);
}

export async function deleteRule(tx: Executor, { userId, source }: Payee): Promise<void> {
  await tx.query.deleteFrom('payout_schedules').where('user_id', '=', userId).where('source', '=', source).execute();
}

export async function markRuleChecked(tx: Executor, { userId, source }: Payee, today: string): Promise<void> {
  await tx.run(MARK_CHECKED, [userId, source, today]);
}

export async function markRuleRun(
  tx: Executor,
  { userId, source }: Payee,
  today: string,
  failure: string | null,
): Promise<void> {
  await tx.run(MARK_RUN, [userId, source, today, failure]);
}

export async function moveRules(tx: Executor, fromMethod: string, toMethod: string): Promise<void> {
  await tx.query
    .updateTable('payout_schedules')
    .set({ method_id: toMethod })
    .where('method_id', '=', fromMethod)
    .execute();
}

export async function hasRule(tx: Executor, methodId: string): Promise<boolean> {
  const query = tx.query.selectFrom('payout_schedules').select('user_id').where('method_id', '=', methodId);
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

export async function listRulesToCheck(db: Executor, today: string): Promise<{ user_id: string; source: string }[]> {
  return db.run(
    {
      name: 'payouts-rules-to-check',
      text: 'select user_id, source from payout_schedules where checked_on < $1::date order by user_id, source',
    },
    [today],
  );
}
