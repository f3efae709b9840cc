/** Who may call a creator. */
import type { CallerRule } from '@stagedoor/contract/messaging/caller-rules.ts';
import type { Context } from '../../../../platform/context.ts';
import type { SqlStatement } from '../../../../platform/database/db.ts';
import type { EventPayload } from '../../../../platform/events/event-types.ts';
import { findFollowedAt } from '../../../content/follows/index.ts';
import { findSuccessorTierId } from '../../../content/subscription-tiers/index.ts';
import { isSubscriber } from '../../../content/subscriptions/index.ts';
import { findChatRelation } from '../../chat/index.ts';

export type LimitedCallers = Exclude<CallerRule, 'everyone'>;

/** How long a fan may call after the creator requested a callback. */
const CALLBACK_MS = 24 * 60 * 60_000;
const IS_CALLED_BACK: SqlStatement = {
  name: 'calls-is-called-back',
  text: 'select id from calls where creator_id = $1 and fan_id = $2 and callback_requested_at > $3 limit 1',
};

type StoredCallers<T = CallerRule> = { callerRule: T; callerTierId: string | null };

async function isAmongCallers(
  ctx: Context,
  { callerRule: rule, callerTierId: tierId }: StoredCallers<LimitedCallers>,
  fanId: string,
  creatorId: string,
): Promise<boolean> {
  if (rule === 'subscribers') return isSubscriber(ctx.db, { fanId, creatorId, tierId });
  if (rule === 'followers') return (await findFollowedAt(ctx.db, fanId, creatorId)) !== undefined;
  const { hasOpenChat, hasBought } = await findChatRelation(ctx.db, fanId, creatorId);
  return rule === 'buyers' ? hasBought : hasOpenChat;
}

/** Returns the rule that excludes a fan, or undefined if the fan may call or the creator has requested a callback. */
export async function findCallerObstacle(
  ctx: Context,
  { callerRule, callerTierId }: StoredCallers,
  fanId: string,
  creatorId: string,
): Promise<LimitedCallers | undefined> {
  if (callerRule === 'everyone') return undefined;
  if (await isAmongCallers(ctx, { callerRule, callerTierId }, fanId, creatorId)) return undefined;
  const since = new Date(ctx.clock.now().getTime() - CALLBACK_MS);
  return (await ctx.db.run(IS_CALLED_BACK, [creatorId, fanId, since])).length > 0 ? undefined : callerRule;
}

const MOVE_CALLER_TIER: SqlStatement = {
  name: 'calls-move-caller-tier',
  text: 'update call_settings set caller_tier_id = $2 where caller_tier_id = $1',
};

/** Calls that were open to a deleted tier and higher ones are open to the next higher one, or else to all subscribers. */
export async function replaceCallerTier(
  ctx: Context,
  deleted: EventPayload<'subscriptionTier.deleted'>,
): Promise<void> {
  await ctx.db.run(MOVE_CALLER_TIER, [deleted.tierId, await findSuccessorTierId(ctx.db, deleted)]);
}

const COUNT_FREE: SqlStatement = {
  name: 'calls-count-free',
  text: `select count(*) as count from calls where fan_id = $1 and creator_id = $2 and created_at >= date_trunc('day', $3::timestamptz, 'UTC')
    and ended_at is not null and connected_ms > 0 and charged_cents = 0`,
};

/** Calls of the pair on this UTC day that connected and ended before they cost anything. */
export async function countFreeCalls(ctx: Context, fanId: string, creatorId: string): Promise<number> {
  const [row] = await ctx.db.run<{ count: number }>(COUNT_FREE, [fanId, creatorId, ctx.clock.now()]);
  return row?.count ?? 0;
}
