import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { joinEntitlement } from '../entitlements/index.ts';
import { lockSubscription, type SubscriptionRow } from './store.ts';

/** Locks a fan's own subscription. Throws NOT_FOUND for those of others, as for ids that do not exist. */
export async function lockOwnSubscription(tx: DbTransaction, fanId: string, id: string): Promise<SubscriptionRow> {
  const unsafeRow = await lockSubscription(tx, id);
  if (!unsafeRow || unsafeRow.fan_id !== fanId) throw new AppError('NOT_FOUND');
  return unsafeRow;
}

/** What a subscription opens has a price, because anything free is open to everyone. */
const IS_SUBSCRIBER: SqlStatement = {
  name: 'subscriptions-is-subscriber',
  text: `select e.source from (values (1)) one ${joinEntitlement({
    viewer: '$1::uuid',
    owner: '$2::uuid',
    subject: '$3::uuid',
    price: '1',
    access: "'shown'",
    container: '$3::uuid',
  })}`,
};
/** Whether a subscription opens a tier and those below it now, or without a tier, anything of the creator. */
export async function isSubscriber(
  db: Executor,
  { fanId, creatorId, tierId }: { fanId: string; creatorId: string; tierId: string | null },
): Promise<boolean> {
  const [right] = await db.run<{ source: string | null }>(IS_SUBSCRIBER, [fanId, creatorId, tierId ?? creatorId]);
  return (right?.source ?? null) !== null;
}
