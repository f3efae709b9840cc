import type { Selectable } from 'kysely';
import type { DbTransaction, Executor, SqlStatement, Tables } from '../../../../platform/database/db.ts';
import type { DepositRow } from '../store.ts';

export type RecurringPaymentRow = Selectable<Tables['recurring_payments']>;

export type NewRecurringPayment = Pick<
  RecurringPaymentRow,
  'id' | 'fan_id' | 'provider' | 'amount_cents' | 'fee_cents' | 'payable_cents' | 'period_days' | 'created_at'
>;

export function insertRecurringPayment(tx: DbTransaction, row: NewRecurringPayment): Promise<RecurringPaymentRow> {
  return tx.query.insertInto('recurring_payments').values(row).returningAll().executeTakeFirstOrThrow();
}

export function findRecurringPayment(db: Executor, id: string): Promise<RecurringPaymentRow | undefined> {
  return db.query.selectFrom('recurring_payments').selectAll().where('id', '=', id).executeTakeFirst();
}

export function findRecurringByProcessorId(
  db: Executor,
  provider: string,
  subscriptionId: string,
): Promise<RecurringPaymentRow | undefined> {
  return db.query
    .selectFrom('recurring_payments')
    .selectAll()
    .where('provider', '=', provider)
    .where('processor_subscription_id', '=', subscriptionId)
    .executeTakeFirst();
}

export function lockRecurringPayment(tx: DbTransaction, id: string): Promise<RecurringPaymentRow> {
  return tx.query
    .selectFrom('recurring_payments')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

const RECORD_CHARGE: SqlStatement = {
  name: 'recurring-payments-charge',
  text: `update recurring_payments set processor_subscription_id = $2,
      last_charged_at = greatest(last_charged_at, $3::timestamptz)
    where id = $1`,
};
export async function recordCharge(tx: DbTransaction, id: string, subscriptionId: string, at: Date): Promise<void> {
  await tx.run(RECORD_CHARGE, [id, subscriptionId, at]);
}

const RECORD_STOP: SqlStatement = {
  name: 'recurring-payments-stop',
  text: `update recurring_payments set status_changed_at = $2, cancel_problem = null,
      canceled_at = coalesce(canceled_at, $3)
    where id = $1`,
};
/** `changedAt` is by the clock of the processor, `at` by ours. */
export async function recordStop(tx: DbTransaction, id: string, changedAt: Date, at: Date): Promise<void> {
  await tx.run(RECORD_STOP, [id, changedAt, at]);
}

const RECORD_REACTIVATION: SqlStatement = {
  name: 'recurring-payments-reactivate',
  text: `update recurring_payments set status_changed_at = greatest(status_changed_at, $2::timestamptz),
      cancel_requested_at = null, cancel_problem = null, canceled_at = null
    where id = $1`,
};
export async function recordReactivation(tx: DbTransaction, id: string, changedAt: Date): Promise<void> {
  await tx.run(RECORD_REACTIVATION, [id, changedAt]);
}

const RECORD_ATTEMPT: SqlStatement = {
  name: 'recurring-payments-cancel-attempt',
  text: `update recurring_payments set cancel_attempts = cancel_attempts + 1, cancel_attempted_at = $2,
      cancel_problem = $3, canceled_at = case when $3::text is null then $2::timestamptz end
    where id = $1 and cancel_requested_at is not null and canceled_at is null`,
};
/** Without a problem the processor has confirmed the cancellation. */
export async function recordCancelAttempt(
  db: Executor,
  id: string,
  { problem, at }: { problem: string | undefined; at: Date },
): Promise<void> {
  await db.run(RECORD_ATTEMPT, [id, at, problem ?? null]);
}

const COUNT_CREDITED: SqlStatement = {
  name: 'recurring-payments-count-credited',
  text: `select count(*)::int as count from deposits
    where recurring_payment_id = $1 and status = 'success' and processor_transaction_id <> processor_subscription_id`,
};
/** Does not count the first payment, whose transaction has the id of the subscription. */
export async function countCreditedRenewals(db: Executor, id: string): Promise<number> {
  const [row] = await db.run<{ count: number }>(COUNT_CREDITED, [id]);
  return row?.count ?? 0;
}

const CONFIRM_COUNT: SqlStatement = {
  name: 'recurring-payments-confirm',
  text: 'update recurring_payments set confirmed_renewals = greatest(confirmed_renewals, $2) where id = $1',
};
export async function confirmRenewalCount(db: Executor, id: string, count: number): Promise<void> {
  await db.run(CONFIRM_COUNT, [id, count]);
}

export function findFirstDeposit(db: Executor, paymentId: string): Promise<DepositRow | undefined> {
  return db.query
    .selectFrom('deposits')
    .selectAll()
    .where('recurring_payment_id', '=', paymentId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

const REQUEST_CANCEL: SqlStatement = {
  name: 'recurring-payments-request-cancel',
  text: `update recurring_payments set cancel_requested_at = $2, cancel_attempts = 0, cancel_attempted_at = null,
      cancel_problem = null, canceled_at = null
    where id = $1 and (cancel_requested_at is null and canceled_at is null or $3::boolean) returning id`,
};
/** Without `isRepeated`, returns false if the payment is canceled or its cancellation was requested before. */
export async function requestCancel(tx: DbTransaction, id: string, at: Date, isRepeated: boolean): Promise<boolean> {
  return (await tx.run(REQUEST_CANCEL, [id, at, isRepeated])).length > 0;
}

/** $1 is the time before which the cancellation was requested. */
const IS_UNCONFIRMED = 'cancel_requested_at < $1 and canceled_at is null and processor_subscription_id is not null';
const createUnconfirmedStatement = (name: string, order: string): SqlStatement => ({
  name,
  text: `select id, fan_id as "fanId", processor_subscription_id as "subscriptionId", payable_cents as "payableCents",
      cancel_requested_at as "requestedAt", cancel_attempts as attempts, cancel_attempted_at as "attemptedAt",
      cancel_problem as problem
    from recurring_payments where ${IS_UNCONFIRMED} order by ${order}, id limit $2`,
});
const LIST_UNCONFIRMED = createUnconfirmedStatement('recurring-payments-unconfirmed', 'cancel_requested_at');
const LIST_TO_REPEAT = createUnconfirmedStatement('recurring-payments-to-repeat', 'cancel_attempted_at nulls first');
const COUNT_UNCONFIRMED: SqlStatement = {
  name: 'recurring-payments-count-unconfirmed',
  text: `select count(*)::int as count, min(cancel_requested_at) as since from recurring_payments where ${IS_UNCONFIRMED}`,
};
export async function countUnconfirmedCancellations(
  db: Executor,
  before: Date,
): Promise<{ count: number; since: Date | null }> {
  const [row] = await db.run<{ count: number; since: Date | null }>(COUNT_UNCONFIRMED, [before]);
  return row ?? { count: 0, since: null };
}

const RECORD_DATE_CHANGE: SqlStatement = {
  name: 'recurring-payments-date-change',
  text: 'update recurring_payments set date_changed_at = $2 where id = $1',
};
/** `changedAt` is by the clock of the processor. */
export async function recordDateChange(tx: DbTransaction, id: string, changedAt: Date): Promise<void> {
  await tx.run(RECORD_DATE_CHANGE, [id, changedAt]);
}

export type UnconfirmedCancellation = {
  id: string;
  fanId: string;
  subscriptionId: string;
  payableCents: number;
  requestedAt: Date;
  attempts: number;
  attemptedAt: Date | null;
  problem: string | null;
};
/** Lists cancellations that were requested before a time and are not confirmed, oldest first. */
export function listUnconfirmedCancellations(
  db: Executor,
  before: Date,
  limit: number,
): Promise<UnconfirmedCancellation[]> {
  return db.run<UnconfirmedCancellation>(LIST_UNCONFIRMED, [before, limit]);
}

/** As {@link listUnconfirmedCancellations}, but the least recent attempt comes first, so that none waits forever. */
export function listCancellationsToRepeat(
  db: Executor,
  before: Date,
  limit: number,
): Promise<UnconfirmedCancellation[]> {
  return db.run<UnconfirmedCancellation>(LIST_TO_REPEAT, [before, limit]);
}
