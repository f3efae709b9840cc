import type { Executor, SqlStatement } from '../../../platform/database/db.ts';

/** A fan who subscribes to a creator again, or changes the tier, was welcomed before. */
const FIND_WELCOME: SqlStatement = {
  name: 'subscriptions-welcome',
  text: `select t.welcome_message as text from subscriptions s join subscription_tiers t on t.id = s.tier_id
    where s.id = $1 and t.welcome_message <> ''
      and not exists (select from subscriptions e where e.fan_id = s.fan_id and e.creator_id = s.creator_id and e.id < s.id)`,
};
/** The message with which a creator welcomes a new subscriber, if there is one. */
export async function findWelcomeMessage(db: Executor, subscriptionId: string): Promise<string | undefined> {
  const [row] = await db.run<{ text: string }>(FIND_WELCOME, [subscriptionId]);
  return row?.text;
}
