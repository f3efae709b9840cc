import type { SubscriptionTierId, UserId } from '@stagedoor/contract/shared/ids.ts';
import type { Recurrence } from '@stagedoor/contract/shared/recurrence.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import type { SubscriptionRow } from './store.ts';

/** `id` is that of the recurring payment, which may be unpaid. */
export type CardOrderRow = {
  id: string;
  fan_id: UserId;
  creator_id: UserId;
  tier_id: SubscriptionTierId;
  recurrence: Recurrence;
  recurrence_count: SubscriptionRow['recurrence_count'];
  price_cents: number;
  time_zone: string;
};

export async function insertCardOrder(tx: DbTransaction, order: CardOrderRow & { created_at: Date }): Promise<void> {
  await tx.query.insertInto('card_subscription_orders').values(order).execute();
}

const FIND_ORDER: SqlStatement = {
  name: 'card-subscription-orders-find',
  text: `select id, fan_id, creator_id, tier_id, recurrence, recurrence_count, price_cents, time_zone
    from card_subscription_orders where id = $1`,
};
export async function findCardOrder(tx: DbTransaction, id: string): Promise<CardOrderRow | undefined> {
  const [order] = await tx.run<CardOrderRow>(FIND_ORDER, [id]);
  return order;
}

const PURGE: SqlStatement = {
  name: 'card-subscription-orders-purge',
  text: 'delete from card_subscription_orders where created_at < $1',
};
/** Deletes paid orders as well, because the subscription has all of their details. */
export async function deleteCardOrders(db: Executor, before: Date): Promise<void> {
  await db.run(PURGE, [before]);
}

const FIND_PERIOD: SqlStatement = {
  name: 'subscription-periods-find-by-deposit',
  text: 'select subscription_id as "subscriptionId", number, id, sale_id as "saleId" from subscription_periods where deposit_id = $1',
};
export type CardPeriod = { subscriptionId: string; number: number; id: string; saleId: string };
export async function findPeriodByDeposit(tx: DbTransaction, depositId: string): Promise<CardPeriod | undefined> {
  const [period] = await tx.run<CardPeriod>(FIND_PERIOD, [depositId]);
  return period;
}

const FIND_ID: SqlStatement = {
  name: 'subscriptions-find-by-payment',
  text: 'select id from subscriptions where recurring_payment_id = $1',
};
export async function findIdByPayment(tx: DbTransaction, paymentId: string): Promise<string | undefined> {
  const [row] = await tx.run<{ id: string }>(FIND_ID, [paymentId]);
  return row?.id;
}
